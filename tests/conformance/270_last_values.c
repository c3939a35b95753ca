// Iterations of worker and vector loops set a variable of the gang, or of the worker, that is read behind the loop: it has the
// value of the last iteration that set it, or its own, where none did.
// expect: launches=9
#include "check.h"

#define ROWS 40
#define N 100

static int a[ROWS * N];
static double out[ROWS];

static int at(int i)
{
    return (i * 7) % N;
}

static void check(const char *what, double (*expected)(int))
{
    for (int i = 0; i < ROWS; i++)
        check_near(what, i, out[i], expected(i), 0);
}

static double place(int i)
{
    return i % 5 ? at(i) : -1;
}

static double last(int i)
{
    return (N - 1) * 1.5 + i;
}

static double first_and_place(int i)
{
    return 0.25 + place(i);
}

static double three_times(int i)
{
    return 3 * at(i) + 3;
}

static double from_worker(int i)
{
    return i % 5 ? at(i) % 10 + 4 * 100 : 7;
}

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = i % 5 && j == at(i);

    // One iteration sets it, in some rows.
#pragma acc parallel loop gang copyin(a) copyout(out) vector_length(32)
    for (int i = 0; i < ROWS; i++) {
        int found = -1;
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            if (a[i * N + j])
                found = j;
        out[i] = found;
    }
    check("one iteration", place);

    // A worker's variable.
#pragma acc parallel loop gang worker copyin(a) copyout(out) num_workers(4) vector_length(32)
    for (int i = 0; i < ROWS; i++) {
        long found = -1;
#pragma acc loop vector
        for (unsigned long j = 0; j < N; j++)
            if (a[i * N + j])
                found = j;
        out[i] = found;
    }
    check("of a worker", place);

    // Every iteration sets it; the loop sums, too.
#pragma acc parallel loop gang copyout(out)
    for (int i = 0; i < ROWS; i++) {
        double t, sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < N; j++) {
            t = j * 1.5;
            sum += 1;
        }
        out[i] = t + i + (sum - N);
    }
    check("every iteration", last);

    // A loop that counts down by more than one: the last iteration has the least variable. Two variables.
#pragma acc parallel loop gang worker copyin(a) copyout(out)
    for (int i = 0; i < ROWS; i++) {
        float t = -5;
        int found = -1;
#pragma acc loop vector
        for (int j = N - 1; j >= 0; j -= 3)
            t = j + 0.25f;
#pragma acc loop vector
        for (int j = N - 1; j >= 0; j--)
            if (a[i * N + j])
                found = j;
        out[i] = t + found;
    }
    check("counting down", first_and_place);

    // In the turns of a sequential loop, one of which sets nothing.
#pragma acc parallel loop gang copyout(out)
    for (int i = 0; i < ROWS; i++) {
        double sum = 0, t = 0;
        for (int turn = 0; turn < 4; turn++) {
            if (turn != 2) {
#pragma acc loop vector
                for (int j = 0; j < N; j++)
                    if (j == at(i) && turn != 1)
                        t = j;
            }
            sum += t;
            t += turn == 3 ? 3 : 0;
        }
        out[i] = sum + (t - 3 - at(i)) - at(i) + 3;
    }
    check("in turns", three_times);

    // Vector loops in a worker loop: the last worker's iteration that set it counts.
#pragma acc parallel loop gang copyin(a) copyout(out) num_workers(4) vector_length(32)
    for (int i = 0; i < ROWS; i++) {
        double value = 7;
#pragma acc loop worker
        for (int w = 0; w < 10; w++) {
#pragma acc loop vector
            for (int j = 0; j < 10; j++)
                if (i % 5 && j == at(i) % 10 && w < 5)
                    value = j + w * 100;
        }
        out[i] = value;
    }
    check("vector loops of workers", from_worker);

    // A pointer, and a variable from outside the construct.
    const int *where = 0;
    double result = 0;
    int row = 13;
#pragma acc parallel copyin(a) copyout(result) num_gangs(1) vector_length(64) firstprivate(row)
    {
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            if (a[row * N + j])
                where = &a[row * N + j];
        result = where - a - row * N;
    }
    check_near("pointer", 0, result, at(13), 0);

    // All lanes of the next loop read it.
#pragma acc parallel loop gang copyin(a) copy(out) vector_length(32)
    for (int i = 0; i < ROWS; i++) {
        int found = -1;
        out[i] = -1;
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            if (a[i * N + j])
                found = j;
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            if (j == found)
                out[i] = j;
    }
    check("next loop", place);

    // The loops of a kernels construct that are said to be independent.
#pragma acc kernels copyin(a) copyout(out)
#pragma acc loop independent gang
    for (int i = 0; i < ROWS; i++) {
        int found = -1;
#pragma acc loop independent vector
        for (int j = 0; j < N; j++)
            if (a[i * N + j])
                found = j;
        out[i] = found;
    }
    check("kernels", place);
    return finish();
}
