// Arrays of structures: each member in an array of its own while compressed, or side by side; read and written.
// expect: launches=7 uploads=6 downloads=8
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { N = 1003 };

struct place {
    float latitude, longitude;
};

struct body {
    double x, y, z, mass;
};

static struct place places[N], moved[N], here[N];
static struct body bodies[N];
static float away[N];

static void nearest(int n)
{
    struct place *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = places[i];
#pragma acc parallel loop ccopyin(p[0:n:-180:180]) copyout(away[0:n])
    for (int i = 0; i < n; i++)
        away[i] = sqrtf(p[i].latitude * p[i].latitude + p[i].longitude * p[i].longitude);
    for (int i = 0; i < n; i++)
        check_near("soa", i, away[i], hypotf(places[i].latitude, places[i].longitude), 1e-2);
#pragma acc parallel loop ccopyin(layout(aos): p[0:n:-180:180]) copyout(away[0:n])
    for (int i = 0; i < n; i++)
        away[i] = sqrtf(p[i].latitude * p[i].latitude + p[i].longitude * p[i].longitude);
    for (int i = 0; i < n; i++)
        check_near("aos", i, away[i], hypotf(places[i].latitude, places[i].longitude), 1e-2);
    free(p);
}

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        places[i].latitude = 90 * sinf((float)i);
        places[i].longitude = 180 * cosf((float)i);
        moved[i] = here[i] = places[i];
        bodies[i].x = i;
        bodies[i].y = -i;
        bodies[i].z = 0.5 * i;
        bodies[i].mass = 1 + i % 7;
    }
    nearest(n);

    /* Written members come back, others stay; widths that are packed. */
#pragma acc data ccopy(bits(20): moved[0:n:-200:200]) ccopy(bits(12), layout(aos): here[0:n:-200:200])
    {
#pragma acc parallel loop compression(moved, here)
        for (int i = 0; i < n; i++) {
            moved[i].latitude += 1;
            here[i].longitude -= 1;
        }
#pragma acc update self(moved[100:50], here[100:50])
        for (int i = 0; i < n; i++) {
            int in = i >= 100 && i < 150;
            check_near("moved after update", i, moved[i].latitude, places[i].latitude + in, 1e-3);
            check_near("here after update", i, here[i].longitude, places[i].longitude - in, 0.2);
        }
#pragma acc parallel loop compression(moved)
        for (int i = 0; i < n; i++)
            moved[i].longitude *= 0.5f;
    }
    for (int i = 0; i < n; i++) {
        check_near("moved latitude", i, moved[i].latitude, places[i].latitude + 1, 1e-3);
        check_near("moved longitude", i, moved[i].longitude, 0.5 * places[i].longitude, 1e-3);
        check_near("here latitude", i, here[i].latitude, places[i].latitude, 0.2);
        check_near("here longitude", i, here[i].longitude, places[i].longitude - 1, 0.2);
    }

    /* A part of an array, and a static one. */
    double sum = 0, want = 0;
    for (int i = 10; i < n; i++)
        want += bodies[i].mass * bodies[i].z;
#pragma acc enter data ccopyin(bodies[10:n - 10:-2000:2000])
#pragma acc parallel loop compression(bodies) present(bodies[10:n - 10]) reduction(+:sum)
    for (int i = 10; i < n; i++)
        sum += bodies[i].mass * bodies[i].z;
#pragma acc parallel loop compression(bodies) present(bodies[10:n - 10])
    for (int i = 10; i < n; i++)
        bodies[i].x = bodies[i].y + 1;
#pragma acc exit data ccopyout(bodies[10:n - 10])
    check_near("sum", 0, sum, want, 1e-6);
    for (int i = 0; i < n; i++)
        check_near("x", i, bodies[i].x, i < 10 ? i : 1 - i, 1e-5);

#pragma acc parallel loop ccopy(layout(aos): bodies[0:n:-3000:3000])
    for (int i = 0; i < n; i++)
        bodies[i].y = 2 * bodies[i].y + bodies[i].mass;
    for (int i = 0; i < n; i++)
        check_near("y", i, bodies[i].y, -2 * i + 1 + i % 7, 1e-5);
    return finish();
}
