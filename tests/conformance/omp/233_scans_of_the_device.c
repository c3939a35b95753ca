// Scans whose iterations threads of the whole device share: OpenMP 5.2 §5.6. The last two run in one thread, as their input does more
// than add up.
// expect: launches=20
// gcc: rejects, a scan with one exclusive variable
#include "../check.h"

#define N 10007

static int a[N], b[N];

static void scans_of_each_kind(void)
{
    int count = 0, most = -9, all = ~0, both = 3;
    long sum = 5;
#pragma omp target teams distribute parallel for simd reduction(inscan, + : count) map(to : a) map(from : b)
    for (int i = 0; i < N; i++) {
        b[i] = a[i] > 40 ? count : -1;
#pragma omp scan exclusive(count)
        if (a[i] > 40)
            count++;
    }
    int expected = 0;
    for (int i = 0; i < N; i++)
        check_int("places", i, b[i], a[i] > 40 ? expected++ : -1);
    check_int("count", 0, count, expected);
#pragma omp target parallel for reduction(inscan, max : most)
    for (int i = N - 1; i >= 0; i--) {
        int own = a[i] * (i % 13);
        most = most > own ? most : own;
#pragma omp scan inclusive(most)
        b[i] = most;
    }
    expected = -9;
    for (int i = N - 1; i >= 0; i--) {
        expected = expected > a[i] * (i % 13) ? expected : a[i] * (i % 13);
        check_int("most", i, b[i], expected);
    }
#pragma omp target parallel for reduction(inscan, + : sum, both) map(to : a) map(tofrom : b, sum)
    for (long i = 3; i < N; i += 5) {
        sum += a[i];
        both += 2 * a[i];
#pragma omp scan inclusive(sum, both)
        b[i] = (int)sum + both;
    }
    expected = 8;
    for (int i = 3; i < N; i += 5) {
        expected += 3 * a[i];
        check_int("two sums", i, b[i], expected);
    }
#pragma omp target parallel for reduction(inscan, & : all) map(tofrom : b)
    for (int i = 0; i < 40; i++) {
        all &= ~(1 << i % 20);
#pragma omp scan inclusive(all)
        b[i] = all;
    }
    for (int i = 0; i < 40; i++)
        check_int("bits", i, b[i], (int)(~0u << (i < 20 ? i + 1 : 20)));
}

static void in_place(int *p, int n)
{
    int sum = 1;
#pragma omp target enter data map(to : p[0 : n])
    for (int k = 0; k < 2; k++)
#pragma omp target teams distribute parallel for reduction(inscan, + : sum)
        for (int i = 0; i < n; i++) {
            sum += p[i];
#pragma omp scan inclusive(sum)
            p[i] = sum - 1;
        }
#pragma omp target exit data map(from : p[0 : n])
    check_int("in place", 0, p[2], 16);
    check_int("in place", 1, sum, 17);
}

static void in_one_thread(void)
{
    int sum = 0;
#pragma omp target parallel for reduction(inscan, + : sum) map(from : a, b)
    for (int i = 0; i < N; i++) {
        a[i] = i % 3;
        sum += a[i];
#pragma omp scan inclusive(sum)
        b[i] = sum;
    }
    check_int("input that stores", 0, b[N - 1], sum);
    check_int("input that stores", 1, sum, N / 3 * 3 + 1);
#pragma omp target parallel for reduction(inscan, + : sum) map(tofrom : a, b)
    for (int i = 0; i < 3; i++) {
        int before = sum;
#pragma omp scan exclusive(sum)
        sum += before > 0;
    }
    check_int("input that reads the rest", 0, sum, N / 3 * 3 + 4);
}

int main(void)
{
    int few[] = {1, 2, 3};
    for (int i = 0; i < N; i++)
        a[i] = i * 7919 % 97;
    scans_of_each_kind();
    in_place(few, 3);
    in_one_thread();
    return finish();
}
