/* A block of declarations without its end, and an end without its block. */
#pragma omp end declare target
#pragma omp begin declare target
static int table[4];

int look(int i)
{
    return table[i];
}
