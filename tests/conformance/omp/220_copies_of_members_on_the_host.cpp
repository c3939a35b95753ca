// Constructs that the host runs have copies of members, of what references mean, and of global variables, as those of a device have.
#include "../check.h"

static int global = 7;

struct Object {
    int a, row[3], *p;

    void change(int device)
    {
#pragma omp target firstprivate(a, row, p) if(device)
        {
            a += 1;
            row[1] = a;
            p = row;
        }
#pragma omp target private(a, row) if(device)
        {
            a = 5;
            row[0] = a;
        }
    }
};

template <class T> struct Holder {
    T value;

    void change(int device)
    {
#pragma omp target firstprivate(value) if(device)
        value += 2;
    }
};

int main()
{
    for (int device = 0; device < 2; device++) {
        int behind = 3;
        Object object = {1, {2, 3, 4}, &behind};
        object.change(device);
        check_int("a", device, object.a, 1);
        check_int("row", device, object.row[0] * 100 + object.row[1] * 10 + object.row[2], 234);
        check_true("p", object.p == &behind);
        Holder<long> holder = {8};
        holder.change(device);
        check_int("value", device, holder.value, 8);
        int &name = behind;
#pragma omp target if(device)
        name += 1;
#pragma omp target firstprivate(name) if(device)
        name += 1;
        check_int("reference", device, behind, 3);
#pragma omp target if(device)
        global += 1;
        check_int("global", device, global, 7);
    }
    return finish();
}
