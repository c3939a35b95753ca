// Structures that end in an array without a length, as bytes in a data clause.
// expect: launches=2
#include "check.h"
#include <stdlib.h>

#define N 40

struct packet {
    int n;
    char tag;
    double values[];
};

int main(void)
{
    size_t bytes = sizeof(struct packet) + N * sizeof(double);
    struct packet *p = malloc(bytes);
    char *raw = (char *)p;
    p->n = N;
    p->tag = 'a';
    for (int i = 0; i < N; i++)
        p->values[i] = i;
#pragma acc data copy(raw [0:bytes])
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            struct packet *q = (struct packet *)raw;
            q->values[i] *= q->n;
        }
#pragma acc serial
        ((struct packet *)raw)->tag++;
    }
    for (int i = 0; i < N; i++)
        check_near("values", i, p->values[i], i * N, 0);
    check_int("tag", 0, p->tag, 'b');
    free(p);
    return finish();
}
