// command: accl c++ -Werror -c $FILE -o out.o
void all(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        int *t = new int[4];
        x[i] = t[0];
        delete[] t;
    }
}
