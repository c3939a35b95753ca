// use_device_addr and has_device_addr of scalars and structures, with the map on the same directive and outside it.
// expect: launches=7
// needs: separate
#include "../check.h"

struct pair
{
    int count;
    double weight;
};

static int global = 7;

static int read_there(int *p)
{
    int value;
#pragma omp target is_device_ptr(p) map(from: value)
    value = *p;
    return value;
}

int main(void)
{
    int x = 24;
    struct pair s = {42, 1.5};
#pragma omp target data map(x) use_device_addr(x)
#pragma omp target has_device_addr(x)
    x++;
    check_int("x", 0, x, 25);

#pragma omp target data map(tofrom: x, s, global)
    {
#pragma omp target data use_device_addr(x, s, global)
        {
            int *p = &x;
            struct pair *r = &s;
            check_int("x there", 0, read_there(p), 25);
            check_int("global there", 0, read_there(&global), 7);
            check_int("member there", 0, read_there(&s.count), 42);
#pragma omp target has_device_addr(x, s) is_device_ptr(p, r)
            {
                if (p == &x)
                    x += 10;
                if (r == &s)
                {
                    s.count++;
                    r->weight *= 2;
                }
            }
#pragma omp target has_device_addr(global)
            global *= 3;
        }
    }
    check_int("x", 1, x, 35);
    check_int("count", 0, s.count, 43);
    check_int("weight", 0, (int)s.weight, 3);
    check_int("global", 0, global, 21);

    // The address of a whole array in device code.
    int array[4] = {1, 2, 3, 4}, same;
#pragma omp target map(from: same) map(to: array)
    same = (void *)&array == (void *)array && (void *)&array == (void *)&array[0];
    check_int("same", 0, same, 1);
    return finish();
}
