// References in private, firstprivate and reduction clauses stand for what they refer to; names of a namespace are its own.
// expect: launches=4
#include "check.h"

namespace first { static double table[4] = {9, 9, 9, 9}; }
namespace second {
static double table[4] = {1, 2, 3, 4};
#pragma acc declare copyin(table)
static double own[4] = {5, 6, 7, 8};
double of_own()
{
    double sum = 0;
#pragma acc parallel loop copyin(own, table) reduction(+ : sum)
    for (int i = 0; i < 4; i++)
        sum += own[i] * table[i];
    return sum;
}
}

static void total(const double *a, int n, double &sum, int &count, const double &limit)
{
#pragma acc parallel loop reduction(+ : sum, count) copyin(a[0 : n]) firstprivate(limit)
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (a[i] > limit)
            count++;
    }
}

static void nested(double (&a)[8][64], double &scratch, double &most)
{
#pragma acc parallel loop gang private(scratch) reduction(max : most) copy(a)
    for (int i = 0; i < 8; i++) {
        scratch = i;
#pragma acc loop vector reduction(max : most)
        for (int j = 0; j < 64; j++) {
            a[i][j] += scratch;
            most = most > a[i][j] ? most : a[i][j];
        }
    }
}

static void kept(double *a, int n, double &sum)
{
#pragma acc data copyin(a[0 : n]) copy(sum)
    {
#pragma acc parallel loop reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += a[i];
    }
}

int main()
{
    double a[100], b[8][64], sum = 1, scratch = -3, most = 0;
    int count = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    for (int i = 0; i < 512; i++)
        b[i / 64][i % 64] = i % 64;
    total(a, 100, sum, count, 50);
    check_near("sum", 0, sum, 4951, 0);
    check_int("count", 0, count, 49);
    nested(b, scratch, most);
    check_near("most", 0, most, 70, 0);
    check_near("private", 0, scratch, -3, 0);
    check_near("element", 0, b[7][5], 12, 0);
    kept(a, 100, sum);
    check_near("kept", 0, sum, 4951 + 4950, 0);
    check_near("namespace", 0, second::of_own(), 5 + 12 + 21 + 32, 0);
    check_near("the other namespace", 0, first::table[0], 9, 0);
    return finish();
}
