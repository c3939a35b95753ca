// Elements of a compressed array of structures that are handed over by reference or address, read only under a condition,
// or changed by the function that gets them.
// expect: launches=8 uploads=8 downloads=8
#include "check.h"

#define N 200

struct LatLong {
    float lat, lng;
};

static float distance(const LatLong &a, const LatLong &b)
{
    return (a.lat - b.lat) * (a.lat - b.lat) + (a.lng - b.lng) * (a.lng - b.lng);
}

static float latitude(const LatLong *p, int ahead)
{
    return p[ahead].lat + (*p).lng;
}

static void move(LatLong &p, float by)
{
    LatLong old = p;
    p.lat = old.lat + by;
    p.lng -= by;
}

static LatLong locations[N], kept[N];
static float away[N], chosen[N];

static void reset()
{
    for (int i = 0; i < N; i++) {
        locations[i].lat = i % 32;
        locations[i].lng = i % 8 - 4;
        kept[i].lat = kept[i].lng = 0;
    }
}

static void check_all(float by)
{
    for (int i = 0; i < N; i++) {
        float lat = i % 32, lng = i % 8 - 4;
        int next = i + 1 < N ? i + 1 : i;
        float want = (lat - 3) * (lat - 3) + (lng - 1) * (lng - 1) + next % 32 + lng;
        check_near("away", i, away[i], want, 0.01);
        check_near("chosen", i, chosen[i], (i % 2 ? lat : 3) + (i % 3 == 0 && lat > 5 ? 100 : 0), 0.01);
        check_near("lat", i, locations[i].lat, lat + by, 0.01);
        check_near("lng", i, locations[i].lng, lng - by, 0.01);
        check_near("kept", i, kept[i].lat, i % 2 ? lat : i % 5 ? 0 : lng, 0.01);
    }
}

static void members_apart(const LatLong target, float by)
{
#pragma acc data ccopy(bits(20): locations[0:N:-100:100], kept[0:N:-100:100]) copyout(away, chosen)
    {
#pragma acc parallel loop compression(locations)
        for (int i = 0; i < N; i++)
            away[i] = distance(locations[i], target) + latitude(&locations[i], i + 1 < N);
#pragma acc parallel loop compression(locations)
        for (int i = 0; i < N; i++) {
            LatLong one = i % 2 ? locations[i] : target;
            chosen[i] = one.lat + (i % 3 == 0 && distance(locations[i], LatLong{0, locations[i].lng}) > 30 ? 100 : 0);
        }
#pragma acc parallel loop compression(locations, kept)
        for (int i = 0; i < N; i++) {
            if (i % 2 || i % 5 == 0)
                kept[i] = i % 2 ? locations[i] : LatLong{locations[i].lng, 0};
        }
#pragma acc parallel loop compression(locations)
        for (int i = 0; i < N; i++)
            move(locations[i], by);
    }
}

static void side_by_side(const LatLong target, float by)
{
#pragma acc data ccopy(bits(20), layout(aos): locations[0:N:-100:100], kept[0:N:-100:100]) copyout(away, chosen)
    {
#pragma acc parallel loop compression(bits(20), layout(aos): locations)
        for (int i = 0; i < N; i++)
            away[i] = distance(locations[i], target) + latitude(&locations[i], i + 1 < N);
#pragma acc parallel loop compression(bits(20), layout(aos): locations)
        for (int i = 0; i < N; i++) {
            LatLong one = i % 2 ? locations[i] : target;
            chosen[i] = one.lat + (i % 3 == 0 && distance(locations[i], LatLong{0, locations[i].lng}) > 30 ? 100 : 0);
        }
#pragma acc parallel loop compression(bits(20), layout(aos): locations, kept)
        for (int i = 0; i < N; i++) {
            if (i % 2 || i % 5 == 0)
                kept[i] = i % 2 ? locations[i] : LatLong{locations[i].lng, 0};
        }
#pragma acc parallel loop compression(bits(20), layout(aos): locations)
        for (int i = 0; i < N; i++)
            move(locations[i], by);
    }
}

int main()
{
    const LatLong target = {3, 1};
    reset();
    members_apart(target, 2);
    check_all(2);
    reset();
    side_by_side(target, 3);
    check_all(3);
    return finish();
}
