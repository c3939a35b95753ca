// A launch of few gangs whose vector loops have no given length has more lanes for each of them: sums, private arrays of the
// gang, values between its loops, and lengths that are no multiples of anything are as with the usual number.
// expect: launches=10
// devices: opencl cuda
// env: ACCL_RESIDENT_THREADS=1000000 ACCL_NOTIFY=1
// expect-stderr: vector_length=(256|512)
#include "check.h"

enum { GANGS = 5, MOST = 1500 };
static double rows[GANGS][MOST], sums[GANGS], lengths[GANGS], largest[GANGS];
static int first[GANGS];

static void rows_of(int n)
{
#pragma acc parallel loop gang copyin(rows) copyout(sums, largest, first)
    for (int g = 0; g < GANGS; g++) {
        double sum = 100.0, most = -1.0;
        int at = n;
#pragma acc loop vector reduction(+ : sum) reduction(max : most)
        for (int i = 0; i < n; i++) {
            sum += rows[g][i];
            most = rows[g][i] > most ? rows[g][i] : most;
        }
        double half = most / 2;
#pragma acc loop vector reduction(min : at)
        for (int i = 0; i < n; i++)
            if (rows[g][i] >= half && i < at)
                at = i;
        sums[g] = sum;
        largest[g] = most;
        first[g] = at;
    }
}

static void scans_of(int n)
{
    double own[MOST];
#pragma acc parallel loop gang private(own) copyin(rows) copyout(lengths)
    for (int g = 0; g < GANGS; g++) {
#pragma acc loop vector
        for (int i = 0; i < n; i++)
            own[i] = rows[g][n - 1 - i] * 2;
        double sum = 0.0;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += own[n - 1 - i] * (i % 3);
        lengths[g] = sum;
    }
}

int main(void)
{
    const int sizes[] = {0, 1, 127, 513, MOST};
    for (int g = 0; g < GANGS; g++)
        for (int i = 0; i < MOST; i++)
            rows[g][i] = (i * 7 + g * 13) % 101;
    for (int s = 0; s < 5; s++) {
        int n = sizes[s];
        rows_of(n);
        scans_of(n);
        for (int g = 0; g < GANGS; g++) {
            double sum = 100.0, most = -1.0, length = 0.0;
            int at = n;
            for (int i = 0; i < n; i++) {
                sum += rows[g][i];
                most = rows[g][i] > most ? rows[g][i] : most;
                length += rows[g][i] * 2 * (i % 3);
            }
            for (int i = n - 1; i >= 0; i--)
                if (rows[g][i] >= most / 2)
                    at = i;
            check_near("sum", g, sums[g], sum, 0);
            check_near("largest", g, largest[g], most, 0);
            check_int("first", g, first[g], at);
            check_near("length", g, lengths[g], length, 0);
        }
    }
    return finish();
}
