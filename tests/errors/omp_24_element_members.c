/* A member of an element, in a clause of a construct. */
struct pair {
    int first, second;
};

void f(int n, struct pair *p)
{
#pragma omp target map(tofrom: p[3].first)
    p[3].first = 2;
}
