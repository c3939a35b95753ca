// 10,000 random sequences of enter data, exit data, update and compute in 8 host threads, against a model of the present table (2.6.7).
// needs: separate
// slow
#include "check.h"
#include <openacc.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 8, SEQUENCES = 1250, STEPS = 12, ARRAYS = 3, LENGTH = 40 };

struct array {
    int *host;
    int expected[LENGTH], device[LENGTH];
    int count;
};

struct thread {
    unsigned long state;
    struct array arrays[ARRAYS];
    int wrong;
};

static int dice(struct thread *t, int sides)
{
    t->state = t->state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((t->state >> 33) % (unsigned long)sides);
}

static void set(int *to, const int *from)
{
    for (int i = 0; i < LENGTH; i++)
        to[i] = from[i];
}

static void work(int *p, int k)
{
    for (int i = 0; i < LENGTH; i++)
        p[i] = p[i] * 3 + k;
}

/* What is allocated has no contents until a construct gives it some. */
static void fill(struct array *a, int k)
{
    int *p = a->host;
#pragma acc parallel loop present(p[0:LENGTH])
    for (int i = 0; i < LENGTH; i++)
        p[i] = k + i;
    for (int i = 0; i < LENGTH; i++)
        a->device[i] = k + i;
}

static void leave(struct array *a, int copies, int finalize)
{
    if (a->count > 0) {
        a->count = finalize ? 0 : a->count - 1;
        if (a->count == 0 && copies)
            set(a->expected, a->device);
    }
}

static void step(struct thread *t)
{
    struct array *a = &t->arrays[dice(t, ARRAYS)];
    int *p = a->host, k = dice(t, 100), from = dice(t, LENGTH), n = 1 + dice(t, LENGTH - from), was = a->count;
    switch (dice(t, 11)) {
    case 0:;
#pragma acc enter data copyin(p[0:LENGTH])
        if (a->count++ == 0)
            set(a->device, a->expected);
        break;
    case 1:;
#pragma acc enter data create(p[0:LENGTH])
        if (a->count++ == 0)
            fill(a, k);
        break;
    case 2:;
#pragma acc exit data copyout(p[0:LENGTH])
        leave(a, 1, 0);
        break;
    case 3:;
#pragma acc exit data delete(p[0:LENGTH])
        leave(a, 0, 0);
        break;
    case 4:;
#pragma acc exit data copyout(p[0:LENGTH]) finalize
        leave(a, 1, 1);
        break;
    case 5:
        acc_delete_finalize(p, LENGTH * sizeof *p);
        leave(a, 0, 1);
        break;
    case 6:;
#pragma acc update device(p[from:n]) if_present
        for (int i = from; i < from + n && was; i++)
            a->device[i] = a->expected[i];
        break;
    case 7:;
#pragma acc update self(p[from:n]) if_present
        for (int i = from; i < from + n && was; i++)
            a->expected[i] = a->device[i];
        break;
    case 8:;
#pragma acc parallel loop copy(p[0:LENGTH])
        for (int i = 0; i < LENGTH; i++)
            p[i] = p[i] * 3 + k;
        work(was ? a->device : a->expected, k);
        break;
    case 9:;
#pragma acc data copyin(p[0:LENGTH])
        {
#pragma acc parallel loop copyout(p[0:LENGTH]) async(k % 4)
            for (int i = 0; i < LENGTH; i++)
                p[i] = p[i] * 3 + k;
#pragma acc wait(k % 4)
            if (k % 2) {
#pragma acc exit data delete(p[0:LENGTH]) finalize
            }
        }
        if (k % 2)
            a->count = 0;
        if (was)
            work(a->device, k);
        break;
    default:
        for (int i = 0; i < LENGTH; i++)
            p[i] += k;
        for (int i = 0; i < LENGTH; i++)
            a->expected[i] += k;
    }
    t->wrong += acc_is_present(p, LENGTH * sizeof *p) != (a->count > 0);
    for (int i = 0; i < LENGTH; i++)
        t->wrong += p[i] != a->expected[i];
}

static void *run(void *of)
{
    struct thread *t = of;
    for (int s = 0; s < SEQUENCES && !t->wrong; s++) {
        for (int k = 0; k < ARRAYS; k++) {
            struct array *a = &t->arrays[k];
            a->host = malloc(LENGTH * sizeof(int));
            a->count = 0;
            for (int i = 0; i < LENGTH; i++)
                a->host[i] = a->expected[i] = s + k * i;
        }
        for (int n = 0; n < STEPS && !t->wrong; n++)
            step(t);
        for (int k = 0; k < ARRAYS; k++) {
            int *p = t->arrays[k].host;
#pragma acc exit data delete(p[0:LENGTH]) finalize
            t->wrong += acc_is_present(p, LENGTH * sizeof *p) != 0;
            free(p);
        }
        if (t->wrong)
            fprintf(stderr, "sequence %d is wrong\n", s);
    }
    return 0;
}

int main(void)
{
    static struct thread threads[THREADS];
    pthread_t ids[THREADS];
    for (int k = 0; k < THREADS; k++) {
        threads[k].state = 77 + k;
        pthread_create(&ids[k], 0, run, &threads[k]);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(ids[k], 0);
        check_int("wrong", k, threads[k].wrong, 0);
    }
    return finish();
}
