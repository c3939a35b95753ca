/* The heat equation on several devices of one process, a host thread for each. Each device has some rows; after a step its first
   and last one go to its neighbours' memory. */
#include <math.h>
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 24, COLUMNS = 64, STEPS = 21, DEVICES = 2, BYTES = (ROWS + 2) * COLUMNS * sizeof(double) };

static double first[DEVICES][ROWS + 2][COLUMNS], second[DEVICES][ROWS + 2][COLUMNS];
static int device_of[DEVICES], left[DEVICES];
static pthread_barrier_t barrier;

static double start(int row, int column) { return (row * 7 + column * 3) % 11; }

static double new_value(const double *a, int i)
{
    return a[i] + 0.1 * (a[i - COLUMNS] + a[i + COLUMNS] + a[i - 1] + a[i + 1] - 4 * a[i]);
}

/* Synchronous copies from the second thread, others on a queue. */
static void send(double *to, double *from, int to_device, int from_device)
{
    if (from_device > 0)
        acc_memcpy_d2d(to, from, COLUMNS * sizeof *to, to_device, from_device);
    else
        acc_memcpy_d2d_async(to, from, COLUMNS * sizeof *to, to_device, from_device, 3);
}

static void *work(void *number)
{
    int me = (int)(long)number;
    acc_set_device_num(me, acc_get_device_type());
    double *a = first[me][0], *b = second[me][0];
    acc_copyin(a, BYTES);
    acc_copyin(b, BYTES);
    pthread_barrier_wait(&barrier);
    for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop collapse(2) present(a[0:(ROWS + 2) * COLUMNS], b[0:(ROWS + 2) * COLUMNS])
        for (int i = 1; i <= ROWS; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                b[i * COLUMNS + j] = new_value(a, i * COLUMNS + j);
        double(*all)[ROWS + 2][COLUMNS] = step % 2 ? first : second;
        pthread_barrier_wait(&barrier);
        if (me > 0)
            send(all[me - 1][ROWS + 1], all[me][1], me - 1, me);
        if (me < DEVICES - 1)
            send(all[me + 1][0], all[me][ROWS], me + 1, me);
#pragma acc wait
        pthread_barrier_wait(&barrier);
        double *new = b;
        b = a;
        a = new;
    }
    acc_copyout(first[me], BYTES);
    acc_copyout(second[me], BYTES);
    device_of[me] = acc_get_device_num(acc_get_device_type());
    left[me] = acc_is_present(a, BYTES);
    return NULL;
}

int main(void)
{
    static double a[ROWS * DEVICES + 2][COLUMNS], b[ROWS * DEVICES + 2][COLUMNS];
    pthread_t threads[DEVICES];
    if (acc_get_num_devices(acc_get_device_type()) < DEVICES) {
        printf("too few devices\n");
        return 1;
    }
    for (int i = 0; i < ROWS * DEVICES + 2; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = b[i][j] = start(i, j);
    for (int d = 0; d < DEVICES; d++)
        for (int i = 0; i < ROWS + 2; i++)
            for (int j = 0; j < COLUMNS; j++)
                first[d][i][j] = second[d][i][j] = start(d * ROWS + i, j);
    pthread_barrier_init(&barrier, NULL, DEVICES);
    for (long d = 0; d < DEVICES; d++)
        pthread_create(&threads[d], NULL, work, (void *)d);
    for (int d = 0; d < DEVICES; d++)
        pthread_join(threads[d], NULL);
    for (int step = 0; step < STEPS; step++) {
        double *from = step % 2 ? b[0] : a[0], *to = step % 2 ? a[0] : b[0];
        for (int i = 1; i <= ROWS * DEVICES; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                to[i * COLUMNS + j] = new_value(from, i * COLUMNS + j);
    }
    int wrong = 0;
    for (int d = 0; d < DEVICES; d++) {
        wrong += device_of[d] != d || left[d];
        for (int i = 1; i <= ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                wrong += !(fabs((STEPS % 2 ? second : first)[d][i][j] - (STEPS % 2 ? b : a)[d * ROWS + i][j]) < 1e-9);
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
