/* Reads every clock of the C library, and two of parallel libraries, each behind a construct of its own. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

double omp_get_wtime(void);
double MPI_Wtime(void);

static double a[1000];

static void work(const char *clock)
{
    fprintf(stderr, "%s:\n", clock);
#pragma acc parallel loop present(a)
    for (int i = 0; i < 1000; i++)
        a[i] = a[i] * 0.5 + i;
}

int main(void)
{
    struct timeval day;
    struct timespec moment;
    struct tms of_process;
    struct rusage usage;
#pragma acc data copyout(a)
    {
        work("gettimeofday"), gettimeofday(&day, NULL);
        work("clock_gettime"), clock_gettime(CLOCK_MONOTONIC, &moment);
        work("timespec_get"), timespec_get(&moment, TIME_UTC);
        work("clock"), clock();
        work("time"), time(NULL);
        work("times"), times(&of_process);
        work("getrusage"), getrusage(RUSAGE_SELF, &usage);
        work("omp_get_wtime"), omp_get_wtime();
        work("MPI_Wtime"), MPI_Wtime();
        fprintf(stderr, "nothing under way:\n");
        time(NULL), clock(), gettimeofday(&day, NULL);
#pragma acc parallel loop present(a) async(1)
        for (int i = 0; i < 1000; i++)
            a[i] += 1;
        time(NULL);
#pragma acc wait
    }
    return a[999] < 999;
}
