// A member of a structure that is on the device, which kernels change and others only read: it is read there, whatever
// the host has; a member that no kernel changes goes with the launch.
// needs: separate
// expect: launches=7 uploads=2 downloads=3
#include <stdlib.h>
#include "check.h"

#define N 64

struct state {
    int step, size;
    float factor;
};

static struct state global = {1, N, 0.5f};

static void advance(struct state *s)
{
#pragma acc serial present(s[0:1])
    {
        s->step += 10;
        s->factor *= 2;
    }
}

static void use(struct state *s, float *a)
{
#pragma acc parallel loop present(a[0:N])
    for (int i = 0; i < N; i++)
        a[i] = s->step + s->factor + s->size;
}

static void use_kernels(struct state *s, float *a)
{
#pragma acc kernels loop independent present(a[0:N])
    for (int i = 0; i < N; i++)
        a[i] += s->step;
}

static void use_global(float *a)
{
#pragma acc parallel loop present(a[0:N])
    for (int i = 0; i < N; i++)
        a[i] += global.step * 100;
}

int main(void)
{
    struct state *s = malloc(sizeof *s);
    float *a = malloc(N * sizeof *a);
    *s = (struct state){5, N, 1.5f};
#pragma acc enter data copyin(s[0:1]) create(a[0:N])
    advance(s);
    s->step = -1;
    use(s, a);
    use_kernels(s, a);
#pragma acc update self(a[0:N])
    for (int i = 0; i < N; i++)
        check_near("a pointer's structure", i, a[i], 15 + 3 + N + 15, 0);

#pragma acc enter data copyin(global)
#pragma acc serial present(global)
    {
        global.step += 1;
    }
    global.step = 50;
    use_global(a);
#pragma acc exit data delete(global)
    advance(s);
    use(s, a);
#pragma acc exit data copyout(a[0:N]) copyout(s[0:1])
    for (int i = 0; i < N; i++)
        check_near("again", i, a[i], 25 + 6 + N, 0);
    check_int("step", 0, s->step, 25);
    free(a);
    free(s);
    return finish();
}
