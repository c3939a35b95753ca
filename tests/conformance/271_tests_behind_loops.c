// What a loop leaves in a variable is read by the test of a `do` loop around it, or at the top of the next turn, to which
// `continue` goes.
// expect: launches=12
#include "check.h"

#define ROWS 20
#define N 40

static int v[ROWS * N], sorted[ROWS * N], turns[ROWS], turns_expected[ROWS];

#define SORT(ROW, V, INNER) \
    int changed, n = 0; \
    do { \
        changed = 0; \
        n++; \
        for (int first = 0; first < 2; first++) { \
            INNER \
            for (int j = first; j < N - 1; j += 2) \
                if (V[ROW * N + j] > V[ROW * N + j + 1]) { \
                    int t = V[ROW * N + j]; \
                    V[ROW * N + j] = V[ROW * N + j + 1]; \
                    V[ROW * N + j + 1] = t; \
                    changed = 1; \
                } \
        } \
    } while (changed);

static void inside_a_gang(void)
{
    for (int i = 0; i < ROWS * N; i++)
        v[i] = sorted[i] = i * 37 % 101;
#pragma acc parallel loop gang copy(v) copyout(turns) vector_length(32)
    for (int r = 0; r < ROWS; r++) {
        SORT(r, v, _Pragma("acc loop vector"))
        turns[r] = n;
    }
    for (int r = 0; r < ROWS; r++) {
        SORT(r, sorted, )
        turns_expected[r] = n;
    }
    for (int r = 0; r < ROWS; r++)
        check_int("turns", r, turns[r], turns_expected[r]);
    for (int i = 0; i < ROWS * N; i++)
        check_int("sorted", i, v[i], sorted[i]);
}

static void around_constructs(void)
{
    int a[10] = {0};
    int x, n = 0;
    do {
        x = 5;
#pragma acc kernels copy(a)
        {
            x = 0;
            for (int i = 0; i < 10; i++) {
                a[i]++;
                x = a[i];
            }
        }
        n++;
    } while (x < 3);
    check_int("do", 0, n, 3);

    int y = 7, sum = 0;
    for (int t = 0; t < 4; t++) {
        if (t)
            sum += y;
#pragma acc kernels copy(a)
        {
            y = 0;
            for (int i = 0; i < 10; i++) {
                a[i]++;
                y = a[i];
            }
        }
        if (t < 2)
            continue;
        y = 100;
    }
    check_int("continue", 0, sum, 4 + 5 + 100);
}

int main(void)
{
    inside_a_gang();
    around_constructs();
    return finish();
}
