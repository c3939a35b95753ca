/* What a loop looks for, what it counts, and sizes that the user asks for. */
#include <stdio.h>

#define N 3000

static float data[N];
static int bins[8];

int main(void)
{
    float least = 1e9f;
    int place = -1, count = 0;
#pragma cuda gpurun threadblocksize(64)
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        data[i] = (float)((i * 37) % 1009) - 3;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
#pragma omp critical
        if (data[i] < least) {
            least = data[i];
            place = i;
        }
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < N; i++) {
        count += data[i] > 500;
#pragma omp atomic
        bins[(int)data[i] & 7]++;
    }
    printf("%g %d %d %d\n", least, place, count, bins[3]);
    return 0;
}
