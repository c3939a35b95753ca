// The members of a structure that one directive maps come and go together (OpenMP 5.2 §5.8.3): they have one count.
// expect: launches=3 uploads=12 downloads=5
// needs: runtime
// needs: separate
#include "../check.h"
#include <omp.h>

struct s {
    int a, b, c, d;
};

struct outer {
    int before;
    struct s in;
    int after;
};

static int device;

static int present(void *p)
{
    return omp_target_is_present(p, device);
}

static void one_released(void)
{
    struct s s = {1, 2, 3, 4};
#pragma omp target enter data map(to : s.a, s.c)
    check_int("between", 0, present(&s.b), 1);
#pragma omp target map(tofrom : s.a, s.c)
    {
        s.a += 10;
        s.c += 10;
    }
    check_int("host a", 0, s.a, 1);
#pragma omp target exit data map(release : s.c)
    check_int("a", 0, present(&s.a), 0);
    check_int("c", 0, present(&s.c), 0);
}

static void counted_once_a_directive(void)
{
    struct s s = {1, 2, 3, 4};
#pragma omp target enter data map(to : s.a, s.b, s.c, s.d)
#pragma omp target enter data map(to : s.c)
#pragma omp target enter data map(to : s.b, s.d)
#pragma omp target
    {
        s.a = 5;
        s.d = 8;
    }
#pragma omp target exit data map(release : s.a)
#pragma omp target exit data map(release : s.d)
    check_int("still", 0, present(&s.b), 1);
#pragma omp target exit data map(from : s.a, s.d)
    check_int("gone", 0, present(&s.b), 0);
    check_int("a", 0, s.a, 5);
    check_int("d", 0, s.d, 8);
    check_int("b", 0, s.b, 2);
}

static void by_the_name_of_all(void)
{
    struct s s = {1, 2, 3, 4};
#pragma omp target enter data map(alloc : s.a, s.b)
#pragma omp target enter data map(alloc : s.b)
#pragma omp target exit data map(release : s)
    check_int("one left", 0, present(&s.a), 1);
#pragma omp target exit data map(release : s)
    check_int("gone", 1, present(&s.a), 0);
#pragma omp target enter data map(to : s)
#pragma omp target enter data map(to : s.a, s.d)
#pragma omp target exit data map(release : s.a)
    check_int("all", 0, present(&s), 1);
#pragma omp target exit data map(release : s.b)
    check_int("none", 0, present(&s), 0);
}

// One member is there already, by itself.
static void one_before(void)
{
    struct s s = {1, 2, 3, 4};
#pragma omp target data map(tofrom : s.b)
    {
#pragma omp target enter data map(to : s.a, s.b, s.c)
#pragma omp target map(tofrom : s.a, s.b, s.c)
        {
            s.a++;
            s.b++;
            s.c++;
        }
#pragma omp target exit data map(from : s.a, s.b, s.c)
        check_int("a before", 0, s.a, 2);
        check_int("c before", 0, s.c, 4);
    }
    check_int("b before", 0, s.b, 3);
    check_int("all left", 0, present(&s.b), 0);
}

static void nested(struct outer *o)
{
#pragma omp target enter data map(to : o->in.a, o->in.b)
    check_int("in", 0, present(&o->in.a), 1);
    check_int("not before", 0, present(&o->before), 0);
    check_int("not after", 0, present(&o->after), 0);
#pragma omp target exit data map(delete : o->in.b)
    check_int("in", 1, present(&o->in.a), 0);
}

int main(void)
{
    device = omp_get_default_device();
    struct outer o = {0, {1, 2, 3, 4}, 5};
    one_released();
    counted_once_a_directive();
    by_the_name_of_all();
    one_before();
    nested(&o);
    return finish();
}
