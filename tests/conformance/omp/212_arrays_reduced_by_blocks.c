// Arrays and sections that the threads of a `parallel` block reduce, with barriers in the block and without.
// expect: launches=3
#include <omp.h>
#include "../check.h"

int main(void)
{
    int counts[4] = {0}, part[8], ends[100] = {0}, *p = part;
    double most[2] = {-1e9, 1e9}, sums[2];
    for (int i = 0; i < 8; i++)
        part[i] = i;

#pragma omp target parallel num_threads(6) reduction(+: counts) map(tofrom: counts)
    {
        int me = omp_get_thread_num();
        counts[me % 4] += me;
#pragma omp barrier
        counts[0] += 1;
#pragma omp for
        for (int i = 0; i < 12; i++)
            counts[3]++;
    }
    check_int("counts", 0, counts[0] * 1000 + counts[1] * 100 + counts[2] * 10 + counts[3], 10635);

#pragma omp target teams num_teams(3) map(tofrom: p[0:8]) reduction(+: p[1:4])
    {
#pragma omp parallel num_threads(5) reduction(+: p[1:4])
        for (int i = 1; i < 5; i++)
            p[i] += omp_get_thread_num();
    }
    for (int i = 0; i < 8; i++)
        check_int("a section", i, part[i], i > 0 && i < 5 ? i + 30 : i);

#pragma omp target map(tofrom: most, ends) map(from: sums)
    {
        double own[2] = {0, 0};
#pragma omp parallel num_threads(7) reduction(max: most) reduction(+: own, ends)
        {
            double x = omp_get_thread_num();
            if (x > most[0])
                most[0] = x;
            own[1] += x;
            own[0] = own[1] * 2;
            for (int i = 0; i < 100; i++)
                ends[i] += i;
        }
        sums[0] = own[0];
        sums[1] = own[1];
    }
    check_int("most", 0, (int)most[0], 6);
    check_int("sums", 0, (int)(sums[0] + sums[1]), 63);
    check_int("ends", 0, ends[99], 693);
    return finish();
}
