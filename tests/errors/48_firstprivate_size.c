// command: accl cc -Werror -c $FILE -o out.o
int sum(int n, int m)
{
    double table[400], row[m];
    int result = 0;
#pragma acc parallel loop firstprivate(table, row) reduction(+:result)
    for (int i = 0; i < n; i++)
        result += table[i % 400] > row[i % m];
    return result;
}
