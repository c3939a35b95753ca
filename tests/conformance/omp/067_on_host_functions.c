// A function for devices that cannot be translated: the constructs that call it, directly or through another, run on the host,
// with the device's globals; others do not, and a function that nothing calls is no error.
// needs: separate
// expect: launches=2
// expect-stderr: run construct on host .* line=48
// expect-stderr: run construct on host .* line=54
#include <stdlib.h>
#include "../check.h"

#pragma omp requires reverse_offload
#pragma omp declare target
static int calls = 10;
static int table[4] = {1, 2, 3, 4};

static int number(const char *text)
{
    calls++;
    return (int)strtol(text, NULL, 10) * table[0];
}

static int sum_of_numbers(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += number("21");
    return sum;
}

static int translated(int x) { return x + table[1]; }

static long double never_called(long double x)
{
    return x * (getenv("HOME") != NULL);
}
#pragma omp end declare target

int main(void)
{
    int results[4] = {0, 0, 0, 0}, device_calls = 0;
    /* The device has its own. */
    calls = -5;
    table[0] = table[1] = -100;
#pragma omp target map(tofrom: results)
    {
        results[0] = translated(40);
        table[0] = 2;
    }
#pragma omp target map(tofrom: results) firstprivate(device_calls)
    {
        device_calls = 77;
        results[1] = number("8");
    }
    check_int("firstprivate", 0, device_calls, 0);
#pragma omp target map(tofrom: results)
    {
        table[1] = 0;
        results[2] = sum_of_numbers(3);
    }
#pragma omp target map(from: device_calls) map(tofrom: results)
    {
        device_calls = calls;
        results[3] = table[0] + table[1];
    }
    /* The host is asked to run a part. */
    int parts = 1;
#pragma omp target map(tofrom: parts)
    {
        parts += table[0];
#pragma omp target device(ancestor: 1) map(tofrom: parts) firstprivate(device_calls)
        {
            device_calls = 100;
            parts *= 10;
        }
        parts += calls;
    }
    check_int("parts", 0, parts, 44);
    check_int("translated", 0, results[0], 42);
    check_int("number", 0, results[1], 16);
    check_int("sum", 0, results[2], 126);
    check_int("table", 0, results[3], 2);
    check_int("calls there", 0, device_calls, 14);
    check_int("calls here", 0, calls, -5);
    check_int("table here", 0, table[0] + table[1], -200);
#pragma omp target update from(calls)
    check_int("calls", 0, calls, 14);
    return finish();
}
