// command: accl cc -Werror -c $FILE -o out.o
void find(int n, const int *x, int *y)
{
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            goto done;
        y[i] = x[i];
    done:
        y[i] += 1;
    }
}
