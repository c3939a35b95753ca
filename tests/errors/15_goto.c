// command: accl cc -Werror -c $FILE -o out.o
void find(int n, const int *x, int *y)
{
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            goto inside;
        y[i] = x[i];
        if (x[i] > 3) {
            y[i] += 2;
        inside:
            y[i] += 1;
        }
    }
}
