#pragma acc routine seq
extern int is_odd(int n);

#pragma acc routine seq
int is_even(int n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}
