// Lanes set an element under a condition that at most one of them meets, and use it where they do, as searches in B+ trees do. Where several
// iterations use what others set the loop is run again, in order; where an iteration is not reached, the element is not touched.
// expect: launches=10
#include "check.h"

#define ORDER 64
#define NODES 40
#define QUERIES 75
#define HEIGHT 3

typedef struct {
    int keys[ORDER + 1];
    int children[ORDER + 1];
} node;

static node nodes[NODES];
static int keys[QUERIES], current[QUERIES], next[QUERIES], last_of[QUERIES], last_next[QUERIES];
static int a[QUERIES * ORDER], e[QUERIES];
static double x[QUERIES];

static void serial_search(int *at, int *to)
{
    for (int q = 0; q < QUERIES; q++)
        for (int h = 0; h < HEIGHT; h++) {
            for (int j = 0; j < ORDER; j++)
                if (nodes[at[q]].keys[j] <= keys[q] && nodes[at[q]].keys[j + 1] > keys[q])
                    if (nodes[to[q]].children[j] < NODES)
                        to[q] = nodes[to[q]].children[j];
            at[q] = to[q];
        }
}

static void search(void)
{
#pragma acc parallel loop gang copyin(nodes, keys) copy(current, next)
    for (int q = 0; q < QUERIES; q++)
        for (int h = 0; h < HEIGHT; h++) {
#pragma acc loop vector
            for (int j = 0; j < ORDER; j++)
                if (nodes[current[q]].keys[j] <= keys[q] && nodes[current[q]].keys[j + 1] > keys[q])
                    if (nodes[next[q]].children[j] < NODES)
                        next[q] = nodes[next[q]].children[j];
            current[q] = next[q];
        }
}

// The ends of a range: two elements in one loop, all in one condition.
static void range(void)
{
#pragma acc parallel loop gang copyin(nodes, keys) copy(current, next, last_of, last_next) vector_length(32)
    for (int q = 0; q < QUERIES; q++)
        for (int h = 0; h < HEIGHT; h++) {
#pragma acc loop vector
            for (int j = 0; j < ORDER; j++) {
                if (nodes[current[q]].keys[j] <= keys[q] && nodes[current[q]].keys[j + 1] > keys[q] &&
                    nodes[next[q]].children[j] < NODES)
                    next[q] = nodes[next[q]].children[j];
                if (nodes[last_of[q]].keys[j] <= keys[q] + 100 && nodes[last_of[q]].keys[j + 1] > keys[q] + 100) {
                    int child = nodes[last_next[q]].children[j];
                    if (child < NODES)
                        last_next[q] = child;
                }
            }
            current[q] = next[q];
            last_of[q] = last_next[q];
        }
}

// Each iteration that sets it uses what the one before it has set.
static void chained(int down, int n)
{
#pragma acc parallel loop gang copyin(a) copy(e)
    for (int q = 0; q < n; q++) {
        if (down) {
#pragma acc loop vector
            for (int j = ORDER - 1; j >= 0; j--)
                if (a[q * ORDER + j] % 5 == q % 5)
                    e[q] = e[q] * 3 % 1009 + j;
        } else {
#pragma acc loop vector
            for (int j = 0; j < ORDER; j++)
                if (a[q * ORDER + j] > e[q])
                    e[q] = a[q * ORDER + j] - j % 3;
        }
    }
}

// A loop inside the iteration, and a worker loop.
static void inner(void)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(a) copy(x)
    for (int q = 0; q < QUERIES; q++) {
#pragma acc loop worker
        for (int r = 0; r < ORDER / 8; r++)
            for (int c = 0; c < 8; c++)
                if (a[q * ORDER + r * 8 + c] == 17 && x[q] < 50)
                    x[q] = x[q] * 0.5 + r * 100 + c;
    }
}

static void same(const char *what, const int *got, const int *want)
{
    for (int q = 0; q < QUERIES; q++)
        check_int(what, q, got[q], want[q]);
}

int main(void)
{
    static int at[QUERIES], to[QUERIES], at_last[QUERIES], to_last[QUERIES], want[QUERIES];
    static double wanted[QUERIES];
    for (int n = 0; n < NODES; n++)
        for (int j = 0; j <= ORDER; j++) {
            nodes[n].keys[j] = j * 13 + n % 3;
            nodes[n].children[j] = (n * 7 + j) % (NODES + 3);
        }
    for (int q = 0; q < QUERIES; q++)
        keys[q] = q * 37 % (ORDER * 13);
    search();
    serial_search(at, to);
    same("current", current, at);
    same("next", next, to);

    for (int q = 0; q < QUERIES; q++) {
        current[q] = at[q] = last_of[q] = at_last[q] = q % 5;
        next[q] = to[q] = q % 7;
        last_next[q] = to_last[q] = q % 11;
    }
    range();
    serial_search(at, to);
    same("current of a range", current, at);
    same("next of a range", next, to);
    for (int q = 0; q < QUERIES; q++)
        keys[q] += 100;
    serial_search(at_last, to_last);
    same("last of a range", last_of, at_last);
    same("next last of a range", last_next, to_last);

    for (int k = 0; k < QUERIES * ORDER; k++)
        a[k] = k * 7919 % 211;
    for (int turn = 0; turn < 8; turn++) {
        int n = turn < 6 ? QUERIES : turn - 6, down = turn % 2;
        for (int q = 0; q < QUERIES; q++)
            e[q] = want[q] = turn < 2 ? 5 : turn < 4 ? 205 : 1000;
        chained(down, n);
        for (int q = 0; q < n; q++)
            for (int k = 0; k < ORDER; k++) {
                int j = down ? ORDER - 1 - k : k;
                if (down && a[q * ORDER + j] % 5 == q % 5)
                    want[q] = want[q] * 3 % 1009 + j;
                if (!down && a[q * ORDER + j] > want[q])
                    want[q] = a[q * ORDER + j] - j % 3;
            }
        same(down ? "chained, downwards" : "chained", e, want);
    }

    for (int q = 0; q < QUERIES; q++)
        x[q] = wanted[q] = q * 0.5;
    inner();
    for (int q = 0; q < QUERIES; q++) {
        for (int k = 0; k < ORDER; k++)
            if (a[q * ORDER + k] == 17 && wanted[q] < 50)
                wanted[q] = wanted[q] * 0.5 + k / 8 * 100 + k % 8;
        check_near("inner", q, x[q], wanted[q], 0);
    }
    return finish();
}
