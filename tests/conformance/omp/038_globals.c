// Globals without declare target, in file scope and static in functions: mapped by rule like other variables.
// expect: launches=5
// needs: separate
#include "../check.h"

#define N 33

static int counter = 4, values[N];
int shared_values[N];
static const int constants[4] = { 2, 3, 5, 7 };
static struct {
    int n;
    double weights[N];
} state = { N, { 0 } };

static int *next(void)
{
    static int calls, buffer[N];
    calls++;
#pragma omp target teams distribute parallel for map(tofrom: buffer)
    for (int i = 0; i < N; i++)
        buffer[i] += calls + constants[i % 4];
    return buffer;
}

int main(void)
{
#pragma omp target
    {
        counter++;
        for (int i = 0; i < N; i++)
            values[i] = counter + i;
        shared_values[2] = values[2];
    }
    check_int("counter", 0, counter, 4);
    check_int("values", 0, values[3], 8);
    check_int("shared", 0, shared_values[2], 7);
#pragma omp target map(tofrom: counter)
    counter += 10;
    check_int("counter", 1, counter, 14);
#pragma omp target teams distribute parallel for map(tofrom: state)
    for (int i = 0; i < N; i++)
        if (i < state.n)
            state.weights[i] = i * constants[1];
    for (int i = 0; i < N; i++)
        check_near("weights", i, state.weights[i], 3 * i, 0);
    next();
    int *buffer = next();
    for (int i = 0; i < N; i++)
        check_int("buffer", i, buffer[i], 3 + 2 * constants[i % 4]);
    return finish();
}
