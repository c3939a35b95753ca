// Methods that write a pointer into their object are for objects of iterations, and for those of an array too: where the same method, or
// a pointer, may reach either, the host's threads run the loop.
// env: ACCL_DEVICE_CHOICE=never
// expect: launches=2
#include "../check.h"

struct Place {
    int *p;
    Place(int *p) : p(p) {}
    Place() : p(nullptr) {}
    void move(int by) { p += by; }
    int get() const { return *p; }
};

static void advance(Place &place, int by) { place.move(by); }

int main()
{
    const int n = 5000, last = n - 10;
    int *a = new int[n], *b = new int[n], **rows = new int *[n];
    for (int i = 0; i < n; i++) {
        a[i] = i % 97;
        rows[i] = a + i;
    }
#pragma omp parallel for
    for (int i = 0; i < last; i++) {
        Place place(rows[i]);
        advance(place, 2);
        place.move(1);
        b[i] = place.get();
    }
    for (int i = 0; i < last; i++)
        check_int("moved", i, b[i], a[i + 3]);
#pragma omp parallel for
    for (int i = 0; i < last; i++) {
        Place both[2] = {Place(rows[i]), Place(rows[i + 1])};
        both[1].move(2);
        both[0] = both[1];
        b[i] = both[0].get();
    }
    for (int i = 0; i < last; i++)
        check_int("array", i, b[i], a[i + 3]);
#pragma omp parallel for
    for (int i = 0; i < last; i++) {
        Place x(rows[i]), y(rows[i + 3]), *which = i % 2 ? &x : &y;
        which->move(1);
        b[i] = x.get() + 2 * y.get();
    }
    for (int i = 0; i < last; i++)
        check_int("either", i, b[i], a[i + i % 2] + 2 * a[i + 3 + (i + 1) % 2]);
    Place *shared = new Place[n];
    for (int i = 0; i < n; i++)
        shared[i].p = rows[i];
#pragma omp parallel for
    for (int i = 0; i < last; i++) {
        Place own(rows[i]);
        advance(own, 1);
        advance(shared[i], 2);
        b[i] = own.get() + shared[i].get();
    }
    for (int i = 0; i < last; i++) {
        check_int("shared", i, b[i], a[i + 1] + a[i + 2]);
        check_true("pointer", shared[i].p == a + i + 2);
    }
    return finish();
}
