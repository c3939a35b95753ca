// command: accl cc -Werror -c $FILE -o out.o
int sum(int n, const int *x)
{
    int s[4] = {0, 0, 0, 0};
#pragma acc parallel loop gang reduction(+ : s) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            s[i % 4] = s[j % 4] + x[i];
    }
    return s[0];
}
