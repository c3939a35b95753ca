// lines: ACCL
/* A file without directives of OpenACC is compiled by the host's compiler; that its offloading is not is told.
 * (The last line is wrong, so that the compiler has an error to end with.) */
void f(int n, int *a)
{
#pragma omp target
    for (int i = 0; i < n; i++)
        a[i] = i;
}

int g(void) { return missing; }
