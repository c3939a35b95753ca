enum { ROWS = 60, LENGTH = 40 };
extern double row[LENGTH + 1][3], pivot, carried[LENGTH];
#pragma omp threadprivate(row, pivot, carried)
double u[ROWS][LENGTH];

void across(void)
{
    int k, i;
#pragma omp parallel for private(i)
    for (k = 0; k < ROWS; k++) {
        for (i = 0; i < LENGTH; i++)
            row[i + 1][0] = 2.0 * u[k][i];
        row[0][0] = 0.0;
        for (i = 0; i < LENGTH; i++) {
            pivot = row[i][0];
            u[k][i] = 0.25 * (row[i + 1][0] + pivot);
        }
    }
}

double sum_of_carried(void)
{
    double sum = 0.0;
    int k;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (k = 0; k < LENGTH; k++)
        sum += carried[k];
    return sum;
}
