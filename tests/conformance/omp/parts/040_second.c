#define N 25

#pragma omp declare target
int shared_table[N] = { -1, -1, -1, -1 };
int shared_factor = 2;
#pragma omp end declare target

void fill_there(int start)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        shared_table[i] = start + i;
}

int sum_there(void)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += shared_table[i];
    return sum;
}

int factor_there(void)
{
    int factor = 0;
#pragma omp target map(from: factor)
    factor = shared_factor;
    return factor;
}
