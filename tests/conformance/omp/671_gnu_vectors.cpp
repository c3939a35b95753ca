// GNU's vectors: arithmetic on all elements, with numbers, comparisons, conversions, single elements, and as members and arguments.
// expect: launches=4
#include "../check.h"

#define N 64

typedef float float4 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
typedef int int4 __attribute__((vector_size(16)));
typedef unsigned char byte8 __attribute__((vector_size(8)));

struct Body {
    char kind;
    double2 place;
    float4 colour;
};

static float sum(float4 v)
{
    return v[0] + v[1] + v[2] + v[3];
}

static double2 turned(double2 v)
{
    double2 r = {-v[1], v[0]};
    return r;
}

static float4 colours[N];
static float dark[N];
static Body bodies[N];
static byte8 bytes[N];

static void paint(float4 *p, float *out, float by)
{
    float4 weight = {1, 2, 3};
    int4 limit = {5, 6, 7, 8};
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N]) map(from : out[0 : N])
    for (int i = 0; i < N; i++) {
        float4 c = p[i] * weight + 2.0f;
        c -= by;
        c[i % 4] += 5;
        int4 whole = __builtin_convertvector(c, int4);
        int4 more = whole > limit;
        whole = (whole & more) | (limit & ~more);
        p[i] = i % 3 == 0 ? -c : c;
        p[i] = p[i] * p[i][1];
        out[i] = sum(p[i]) + whole[0] + whole[1] * 2 + whole[2] * 3 + whole[3] * 4;
    }
}

int main()
{
    float4 expected[N];
    float expected_dark[N];
    for (int i = 0; i < N; i++)
        expected[i] = colours[i] = float4{1.f * i, 2, i - 3.f, 4};
    paint(colours, dark, 0.5f);
    float4 weight = {1, 2, 3};
    for (int i = 0; i < N; i++) {
        float c[4], all = 0, rest = 0;
        for (int k = 0; k < 4; k++) {
            c[k] = expected[i][k] * weight[k] + 2.0f - 0.5f + (k == i % 4 ? 5 : 0);
            int whole = (int)c[k], limit = 5 + k;
            rest += (k + 1) * (whole > limit ? whole : limit);
        }
        float second = i % 3 == 0 ? -c[1] : c[1];
        for (int k = 0; k < 4; k++) {
            c[k] = (i % 3 == 0 ? -c[k] : c[k]) * second;
            all += c[k];
            check_near("colours", 4 * i + k, colours[i][k], c[k], 1e-4);
        }
        expected_dark[i] = all + rest;
        check_near("dark", i, dark[i], expected_dark[i], 1e-2);
    }

    for (int i = 0; i < N; i++)
        bodies[i] = Body{(char)i, double2{i * 0.5, 1.0}, float4{0, 1, 2, 3}};
    double total = 0;
#pragma omp target teams distribute parallel for map(tofrom : bodies) reduction(+ : total)
    for (int i = 0; i < N; i++) {
        Body &b = bodies[i];
        b.place = turned(b.place) * 2;
        b.place += (double2){1, -1};
        b.colour[3] = b.kind;
        total += b.place[0] + 10 * b.place[1];
    }
    double expected_total = 0;
    for (int i = 0; i < N; i++) {
        expected_total += (-2.0 + 1) + 10 * (i - 1.0);
        check_near("places", i, bodies[i].place[1], i - 1.0, 1e-12);
        check_near("colour", i, bodies[i].colour[3], i, 1e-6);
    }
    check_near("total", 0, total, expected_total, 1e-9);

#pragma omp target teams distribute parallel for map(from : bytes)
    for (int i = 0; i < N; i++) {
        byte8 b = {250, 3, 7, (unsigned char)i};
        b = b + (unsigned char)10;
        b[5] = b[0] >> 1;
        b <<= 1;
        bytes[i] = b / (unsigned char)4;
    }
    for (int i = 0; i < N; i++) {
        check_int("bytes", i, bytes[i][0], 4 * 2 / 4);
        check_int("bytes 3", i, bytes[i][3], (unsigned char)(2 * (i + 10)) / 4);
        check_int("bytes 5", i, bytes[i][5], 1);
        check_int("bytes 7", i, bytes[i][7], 5);
    }

    double2 pair = {3, 4};
    double length = 0;
#pragma omp target map(tofrom : pair, length)
    {
        double2 square = pair * pair;
        length = square[0] + square[1];
        pair = pair / length;
    }
    check_near("length", 0, length, 25, 1e-12);
    check_near("pair", 0, pair[1], 0.16, 1e-12);
    return finish();
}
