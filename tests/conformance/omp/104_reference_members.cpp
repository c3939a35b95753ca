// Members and globals that are references: a clause that names one means its object, and one that none names is mapped as its
// object would be, OpenMP 5.2 §5.8.3. `target update` of a pointer leaves it as it is.
// expect: launches=7
#include "../check.h"

#define N 16

struct Tail {
    char text[270];
};

struct View {
    int (&fixed)[N];
    int *&moving;
    Tail tail;
    int &single;
    int *plain;

    void scale(int by)
    {
#pragma omp target teams distribute parallel for map(tofrom: plain[0:N])
        for (int i = 0; i < N; i++) {
            fixed[i] = fixed[i] * by + single;
            plain[i] += by;
        }
    }
};

int table[N];
int (&table_name)[N] = table;
int *start = table;
int *&start_name = start;

static void by_reference(View &v)
{
    int wrong = 0;
#pragma omp target map(v.fixed[0:N], v.moving, v.moving[0:N]) map(v.tail.text[16:3]) map(from: wrong)
    {
        wrong = v.fixed[2] != 28 || v.moving[2] != 37 || v.tail.text[17] != 81;
        v.fixed[2]++;
        v.moving[2]++;
        v.tail.text[17]++;
    }
    check_int("wrong", 0, wrong, 0);
}

template <typename T>
static void whole(T v)
{
    int wrong = 0;
#pragma omp target map(v.fixed, v.single) map(from: wrong)
    {
        wrong = v.fixed[2] != 29 || v.single != 6;
        v.fixed[2]++;
        v.single++;
    }
    check_int("wrong", 1, wrong, 0);
}

int main()
{
    int fixed[N] = {1, 2, 28}, other[N] = {1, 2, 37}, single = 6;
    int *moving = other;
    View v = {fixed, moving, {}, single, other};
    v.tail.text[17] = 81;

    by_reference(v);
    check_int("fixed", 2, fixed[2], 29);
    check_int("other", 2, other[2], 38);
    check_int("text", 17, v.tail.text[17], 82);
    whole<View>(v);
    check_int("fixed", 2, fixed[2], 30);
    check_int("single", 0, single, 7);
    fixed[2] = 29, single = 6;
    whole<View &>(v);
    check_int("fixed", 2, fixed[2], 30);

    v.scale(3);
    for (int i = 3; i < N; i++) {
        check_int("fixed", i, fixed[i], 7);
        check_int("other", i, other[i], 3);
    }
    check_int("fixed", 2, fixed[2], 97);

#pragma omp target enter data map(to: v.moving[0:N], v.fixed)
#pragma omp target
    for (int i = 0; i < N; i++)
        v.moving[i] = v.fixed[i] + i;
    other[4] = -1;
#pragma omp target update to(v.moving, v.moving[4:1])
#pragma omp target exit data map(from: v.moving[0:N]) map(release: v.fixed)
    check_int("other", 2, other[2], 99);
    check_int("other", 4, other[4], -1);
    check_int("other", 5, other[5], 12);

    for (int i = 0; i < N; i++)
        table[i] = i;
#pragma omp target
    for (int i = 0; i < N; i++)
        table_name[i] *= 2;
    check_int("table", 5, table[5], 10);
#pragma omp target map(tofrom: start_name[2:4])
    for (int i = 2; i < 6; i++)
        start_name[i]++;
    check_int("table", 5, table[5], 11);
    check_int("table", 6, table[6], 12);
    return finish();
}
