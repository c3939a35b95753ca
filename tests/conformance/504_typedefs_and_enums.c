// typedefs of arrays, structures and pointers, enumerations and their constants, in kernels and clauses.
// expect: launches=1 uploads=2 downloads=2
#include "check.h"

enum { N = 111, BLOCK = 32 };
enum color { RED, GREEN = 5, BLUE };
typedef float real;
typedef real row[4];
typedef struct node *node_pointer;
struct node {
    enum color color;
    row values;
};

static struct node nodes[N];

int main(void)
{
    row table[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    unsigned counts[N];
    for (int i = 0; i < N; i++)
        nodes[i].color = i % 3 == 0 ? RED : i % 3 == 1 ? GREEN : BLUE;
#pragma acc parallel loop gang vector vector_length(BLOCK) copy(nodes[0:N]) copyin(table) \
    copyout(counts[:N])
    for (int i = 0; i < N; i++) {
        node_pointer p = nodes + i;
        const enum color c = p->color;
        int which = c == RED ? 0 : c - GREEN + 1;
        for (int k = 0; k < 4; k++)
            p->values[k] = table[which][k];
        p->color = c == BLUE ? RED : GREEN;
        counts[i] = (unsigned)(c + BLOCK);
    }
    for (int i = 0; i < N; i++) {
        int which = i % 3;
        check_int("color", i, nodes[i].color, which == 2 ? RED : GREEN);
        check_int("counts", i, counts[i], BLOCK + (which == 0 ? 0 : which + 4));
        for (int k = 0; k < 4; k++)
            check_near("values", i * 4 + k, nodes[i].values[k], table[which][k], 0.0);
    }
    return finish();
}
