// A variable keeps the value that it was declared with, though the element or the variable that this came from has another one later on.
// devices: cpu cuda opencl
#include "check.h"
#include <stdlib.h>

#define N 60
#define M 100
#define W (M + 2)

static double b[N * W], c[N * W];

static void begin(void)
{
    for (int i = 0; i < N * W; i++)
        b[i] = c[i] = i % 7;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            c[i * W + 1 + j] = c[i * W + j] + 1;
}

static void compare(const char *what)
{
    for (int i = 0; i < N * W; i++)
        check_near(what, i, b[i], c[i], 0);
}

struct place {
    int row, column;
};

int main(void)
{
    int *at = calloc(N, sizeof *at);
    struct place *places = calloc(N, sizeof *places);

    begin();
#pragma acc parallel loop gang copy(at[0:N], b)
    for (int i = 0; i < N; i++) {
        int k = at[i];
        at[i] = k + 1;
        int m = at[i];
#pragma acc loop auto
        for (int j = 0; j < M; j++)
            b[i * W + m + j] = b[i * W + k + j] + 1;
    }
    compare("an element");

    begin();
#pragma acc parallel loop gang copy(b)
    for (int i = 0; i < N; i++) {
        int next = i * W, k = next;
        next++;
        int m = next;
#pragma acc loop auto
        for (int j = 0; j < M; j++)
            b[m + j] = b[k + j] + 1;
    }
    compare("a variable");

    begin();
#pragma acc parallel loop gang copy(places[0:N], b)
    for (int i = 0; i < N; i++) {
        places[i].row = i;
        int k = places[i].row * W + places[i].column;
        places[i].column++;
        int m = places[i].row * W + places[i].column;
#pragma acc loop auto
        for (int j = 0; j < M; j++)
            b[m + j] = b[k + j] + 1;
    }
    compare("a member");

    begin();
#pragma acc kernels copy(at[0:N], b)
    for (int i = 0; i < N; i++) {
        at[0] = 0;
        int k = at[0];
        at[0] = 1;
        int m = at[0];
        for (int j = 0; j < M; j++)
            b[i * W + m + j] = b[i * W + k + j] + 1;
    }
    compare("kernels");
    return finish();
}
