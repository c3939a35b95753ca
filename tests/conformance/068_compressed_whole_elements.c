// Elements of a compressed array of structures used as a whole: read into variables, stored, passed and returned by value.
// expect: launches=13
#include "check.h"

#define N 100

typedef struct {
    float x, y, z;
} point;

static float norm1(point p)
{
    return p.x + p.y + p.z;
}

static point scaled(point p, float by)
{
    point q = {p.x * by, p.y * by, p.z * by};
    return q;
}

#pragma acc routine seq
static void bump(point p, float *sum)
{
    for (int i = 0; i < 2; i++)
        *sum += p.x;
}

static point a[N], b[N];
static float sums[N];

static void reset(void)
{
    for (int i = 0; i < N; i++) {
        a[i].x = i;
        a[i].y = -i;
        a[i].z = N - i;
        b[i].x = b[i].y = b[i].z = 0;
        sums[i] = 0;
    }
}

static void check_points(const char *what, const point *p, float x, float y, float z, float plus)
{
    for (int i = 0; i < N; i++) {
        check_near(what, i, p[i].x, x * i + plus, 0.01);
        check_near(what, i, p[i].y, y * i + plus, 0.01);
        check_near(what, i, p[i].z, z * (N - i) + plus, 0.01);
    }
}

static void members_apart(void)
{
    reset();
#pragma acc data ccopy(bits(20), layout(soa): a[0:N:-500:500], b[0:N:-500:500])
    {
#pragma acc parallel loop compression(a) copy(sums)
        for (int i = 0; i < N; i++) {
            point p = a[i];
            sums[i] = p.x + 2 * p.y + 3 * p.z;
        }
#pragma acc parallel loop compression(a, b)
        for (int i = 0; i < N; i++) {
            point p;
            p = a[N - 1 - i];
            p.z += 1;
            b[N - 1 - i] = p;
        }
#pragma acc parallel loop compression(a, b)
        for (int i = 0; i < N; i++) {
            point old = b[i];
            b[i] = scaled(a[i], 2);
            if (old.z > 1000)
                b[i] = a[i];
        }
#pragma acc parallel loop compression(a) copy(sums)
        for (int i = 0; i < N; i++) {
            sums[i] += norm1(a[i]);
            bump(a[i], &sums[i]);
        }
    }
    check_points("b", b, 2, -2, 2, 0);
    for (int i = 0; i < N; i++)
        check_near("sums", i, sums[i], i - 2 * i + 3 * (N - i) + (N - i) + 2 * i, 0.01);
}

static void side_by_side(void)
{
    reset();
#pragma acc data ccopy(bits(20), layout(aos): a[0:N:-500:500], b[0:N:-500:500])
    {
#pragma acc parallel loop compression(bits(20), layout(aos): a) copy(sums)
        for (int i = 0; i < N; i++) {
            point p = a[i];
            sums[i] = p.x + 2 * p.y + 3 * p.z;
        }
#pragma acc parallel loop compression(bits(20), layout(aos): a, b)
        for (int i = 0; i < N; i++) {
            point p;
            p = a[N - 1 - i];
            p.z += 1;
            b[N - 1 - i] = p;
        }
#pragma acc parallel loop compression(bits(20), layout(aos): a, b)
        for (int i = 0; i < N; i++) {
            point old = b[i];
            b[i] = scaled(a[i], 2);
            if (old.z > 1000)
                b[i] = a[i];
        }
#pragma acc parallel loop compression(bits(20), layout(aos): a) copy(sums)
        for (int i = 0; i < N; i++) {
            sums[i] += norm1(a[i]);
            bump(a[i], &sums[i]);
        }
    }
    check_points("b", b, 2, -2, 2, 0);
    for (int i = 0; i < N; i++)
        check_near("sums", i, sums[i], i - 2 * i + 3 * (N - i) + (N - i) + 2 * i, 0.01);
}

int main(void)
{
    members_apart();
    side_by_side();

    // An element that says which one comes next, and one array in the place of the other.
    reset();
#pragma acc parallel loop ccopyin(bits(20): a[0:N:-500:500]) ccopyout(bits(20): b[0:N:-500:500])
    for (int i = 0; i < N; i++)
        b[(int)(a[i].x + 0.5f)] = a[(int)(a[i].x + 0.5f)];
    check_points("b", b, 1, -1, 1, 0);

    // What is stored changes the subscript.
    point *one = b;
    b[0].x = 3;
    b[0].y = b[0].z = 0;
    b[3].x = 7;
#pragma acc serial ccopy(bits(20): one[0:4:-500:500]) copyin(a)
    {
        point p = a[5];
        one[(int)(one[0].x + 0.5f) - 3] = p;
    }
    check_near("one", 0, b[0].x + b[0].y + b[0].z, 5 - 5 + N - 5, 0.01);
    check_near("one", 3, b[3].x, 7, 0.01);

    reset();
#pragma acc parallel loop copyin(a) ccopyout(bits(20): b[0:N:-500:500])
    for (int i = 0; i < N; i++)
        b[i] = a[i];
    check_points("plain to compressed", b, 1, -1, 1, 0);
    reset();
#pragma acc parallel loop ccopyin(bits(20): a[0:N:-500:500]) copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = a[i];
    check_points("compressed to plain", b, 1, -1, 1, 0);

    reset();
#pragma acc parallel loop gang ccopyin(bits(20): a[0:N:-500:500]) copy(sums)
    for (int i = 0; i < N; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < N; j++) {
            point p = a[i], q = a[j];
            if (norm1(a[j]) > norm1(p))
                sum += q.x - p.x;
        }
        sums[i] = sum;
    }
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < N; j++)
            if (a[j].z > a[i].z + 1e-3)
                sum += a[j].x - a[i].x;
        check_near("pairs", i, sums[i], sum, 0.2 + 0.05 * i);
    }
    return finish();
}
