// command: accl c++ -Werror -c $FILE -o out.o
void all(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            throw 1;
        x[i] = 1;
    }
}
