// Two host threads with queues of their own, each with a half of one small compressed array: nothing orders them, and the copy, the
// held form and the transfers of parts are of the whole array.
// flags: --no-check -pthread
#include "rounded.h"
#include <pthread.h>

enum { N = 1600, HALF = N / 2, STEPS = 60, BITS = 13 };

static float a[N], wanted[N];

static void add(int n, float *restrict x, float by, int queue)
{
#pragma acc parallel loop compression(bits(BITS): x) present(x[0:n]) async(queue)
    for (int i = 0; i < n; i++)
        x[i] += by;
}

/* Windows are filled from the array as it is held. */
static void smooth(int n, const float *restrict x, float *restrict y, int queue)
{
#pragma acc parallel loop vector_length(64) compression(bits(BITS): x) present(x[0:n]) copyout(y[0:n]) async(queue)
    for (int i = 1; i < n - 1; i++) {
#pragma acc fcw FETCH_ONLY(x[i:1:1])
        y[i] = (x[i - 1] + x[i + 1]) / 2;
    }
}

struct part {
    float *mine, *wanted;
    int queue;
    const char *failed;
    float smoothed[HALF];
};

static void wanted_add(struct part *p, float by)
{
    for (int i = 0; i < HALF; i++)
        p->wanted[i] = rounded_float(p->wanted[i] + by, BITS, 0, 0, 9.9);
}

static void *work(void *argument)
{
    struct part *p = argument;
    float *mine = p->mine;
    for (int step = 0; step < STEPS; step++) {
        float by = step % 8 < 4 ? 0.375f : -0.25f;
        add(HALF, mine, by, p->queue);
        wanted_add(p, by);
        if (step % 7 == p->queue) {
#pragma acc update self(mine[0:HALF]) async(p->queue)
#pragma acc wait(p->queue)
            if (memcmp(mine, p->wanted, HALF * sizeof *mine) != 0)
                p->failed = "updated";
        }
        if (step % 11 == p->queue) {
            for (int i = 30; i < 90; i++)
                mine[i] = p->wanted[i] = rounded_float((float)step / 32, BITS, 0, 0, 9.9);
#pragma acc update device(mine[30:60]) async(p->queue)
#pragma acc wait(p->queue)
        }
        if (step % 13 == p->queue) {
            smooth(HALF, mine, p->smoothed, p->queue);
#pragma acc wait(p->queue)
            for (int i = 1; i < HALF - 1; i++)
                if (p->smoothed[i] != (p->wanted[i - 1] + p->wanted[i + 1]) / 2)
                    p->failed = "smoothed";
        }
    }
#pragma acc wait(p->queue)
    return 0;
}

int main(void)
{
    static struct part parts[2] = {{a, wanted, 1}, {a + HALF, wanted + HALF, 2}};
    pthread_t threads[2];
    for (int i = 0; i < N; i++) {
        a[i] = (float)(i % 61) / 16 - 2;
        wanted[i] = rounded_float(a[i], BITS, 0, 0, 9.9);
    }
#pragma acc data ccopy(bits(BITS): a[0:N:-9.9:9.9])
    {
        for (int t = 0; t < 2; t++)
            pthread_create(&threads[t], 0, work, &parts[t]);
        for (int t = 0; t < 2; t++)
            pthread_join(threads[t], 0);
    }
    for (int t = 0; t < 2; t++)
        check_true(parts[t].failed ? parts[t].failed : "", !parts[t].failed);
    count_differences("at the end", N, a, wanted, sizeof *a);
    return finish();
}
