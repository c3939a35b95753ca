// Critical and ordered parts of loops: one thread runs these, in order, and each iteration once.
// expect: launches=4
#include "../check.h"

#define N 100

static int list[N], seen[N];

int main(void)
{
    int count = 0, most = -1;
#pragma omp target teams distribute parallel for map(tofrom: count, list, most)
    for (int i = 0; i < N; i++) {
        int value = i * 37 % N;
#pragma omp critical
        {
            list[count] = value;
            count++;
            if (value > most)
                most = value;
        }
    }
    check_int("count", 0, count, N);
    check_int("most", 0, most, N - 1);
    for (int i = 0; i < N; i++)
        seen[list[i]]++;
    for (int i = 0; i < N; i++)
        check_int("seen", i, seen[i], 1);

    int next = 0;
#pragma omp target parallel for ordered map(tofrom: next, list)
    for (int i = 0; i < N; i++) {
        int square = i * i;
#pragma omp ordered
        list[next++] = square;
    }
    for (int i = 0; i < N; i++)
        check_int("ordered", i, list[i], i * i);

    int rows = 0;
#pragma omp target teams distribute map(tofrom: list)
    for (int i = 0; i < 10; i++) {
        int sum = 0;
#pragma omp parallel for
        for (int j = 0; j < 10; j++) {
#pragma omp critical(total)
            sum += j;
        }
        list[i] = sum + i;
    }
    for (int i = 0; i < 10; i++)
        check_int("team", i, list[i], 45 + i);
#pragma omp target map(tofrom: rows)
    for (int i = 0; i < N; i++) {
#pragma omp critical
        rows += i;
    }
    check_int("rows", 0, rows, N * (N - 1) / 2);
    return finish();
}
