// Variables that one block of threads shares, and of which others have copies: by clauses and by `default`.
#include "../check.h"

#include <omp.h>

int main(void)
{
    int a[8], first[8], own[8], b = 4, c = 5, wrong = 0;
#pragma omp target parallel default(private) shared(a) map(from: a) num_threads(8)
    {
        b = 7;
#pragma omp for
        for (int i = 0; i < 8; i++)
            a[i] = b;
    }
    check_int("a", 7, a[7], 7);
#pragma omp target map(from: first, own, c) map(tofrom: wrong)
    {
#pragma omp parallel num_threads(8)
        {
#pragma omp single
            b = 11;
        }
#pragma omp parallel num_threads(8) firstprivate(b)
        {
            b += omp_get_thread_num();
#pragma omp barrier
            first[omp_get_thread_num()] = b;
        }
#pragma omp parallel num_threads(8) private(b)
        {
            b = 2 * omp_get_thread_num();
#pragma omp barrier
            own[omp_get_thread_num()] = b;
        }
#pragma omp parallel num_threads(8) default(firstprivate) shared(wrong)
        {
            b += 1;
#pragma omp barrier
            if (b != 12) {
#pragma omp atomic write
                wrong = 1;
            }
        }
        c = b;
    }
    for (int i = 0; i < 8; i++) {
        check_int("first", i, first[i], 11 + i);
        check_int("own", i, own[i], 2 * i);
    }
    check_int("b", 0, c, 11);
    check_int("wrong", 0, wrong, 0);
    return finish();
}
