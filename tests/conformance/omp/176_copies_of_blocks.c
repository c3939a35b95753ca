// `private` and `firstprivate` of `scope`, `single` and `sections` in device code: each of those who run the block has its own
// variable. OpenMP 5.2 §11.1 to §11.3.
// gcc: rejects, firstprivate of scope is of OpenMP 5.2
#include "../check.h"
#include <omp.h>

#define THREADS 8

int main(void)
{
    int own = 4, other = 1, sum = 0, wrong = 0;
#pragma omp target parallel num_threads(THREADS) map(tofrom: sum, wrong)
    {
#pragma omp scope firstprivate(own)
        {
            own++;
            if (own != 5) {
#pragma omp atomic
                wrong++;
            }
        }
#pragma omp scope private(other)
        {
            other = omp_get_thread_num();
#pragma omp atomic
            sum += other;
        }
    }
    check_int("scope", 0, wrong, 0);
    check_int("scope", 1, sum, THREADS * (THREADS - 1) / 2);
    check_int("scope", 2, own, 4);

    int mapped = 4, seen[4] = {0}, last = 0, added = 0;
#pragma omp target parallel num_threads(THREADS) map(tofrom: mapped, other, seen, last, added)
    {
#pragma omp scope firstprivate(mapped)
        {
            mapped++;
            if (omp_get_thread_num() == 0)
                seen[0] = mapped;
        }
#pragma omp sections firstprivate(mapped) private(other) lastprivate(last) reduction(+ : added)
        {
#pragma omp section
            {
                mapped += 2;
                other = 7;
                seen[1] = mapped + other;
                last = 1;
                added += 1;
            }
#pragma omp section
            {
                last = 2;
                added += 2;
            }
        }
#pragma omp single private(other) nowait
        {
            other = 3;
            seen[2] = other;
        }
#pragma omp single firstprivate(mapped)
        {
            mapped += 5;
            seen[3] = mapped;
        }
    }
    check_int("seen", 0, seen[0], 5);
    check_int("seen", 1, seen[1], 13);
    check_int("seen", 2, seen[2], 3);
    check_int("seen", 3, seen[3], 9);
    check_int("outside", 0, mapped, 4);
    check_int("outside", 1, other, 1);
    check_int("outside", 2, last, 2);
    check_int("outside", 3, added, 3);

    // One thread.
#pragma omp target map(tofrom: mapped, sum)
    {
#pragma omp scope firstprivate(mapped)
        {
            mapped++;
            sum = mapped;
        }
#pragma omp single private(mapped)
        mapped = 9;
    }
    check_int("one thread", 0, mapped, 4);
    check_int("one thread", 1, sum, 5);
    return finish();
}
