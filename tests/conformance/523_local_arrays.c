// Local arrays in a kernel: partly initialised, two-dimensional, of structures, indexed by data, and
// compound literals.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 144

typedef struct {
    int key;
    float value;
} entry;

static float evaluate(int seed)
{
    int digits[10] = {0}, matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    entry entries[3] = {{3, 0.5f}, {1, 0.25f}};
    for (int x = seed * 7919; x > 0; x /= 10)
        digits[x % 10]++;
    entries[2] = (entry){seed, 2.0f};
    float sum = 0.0f;
    for (int i = 0; i < 10; i++)
        sum += digits[i] * i;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            sum += matrix[i][j] * matrix[1 - i][2 - j];
    for (int i = 0; i < 3; i++)
        sum += entries[i].key * entries[i].value;
    return sum;
}

int main(void)
{
    int in[N];
    float out[N];
    for (int k = 0; k < N; k++)
        in[k] = k + 1;
#pragma acc parallel loop copyin(in) copyout(out)
    for (int k = 0; k < N; k++) {
        int seed = in[k];
        int digits[10] = {0}, matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
        entry entries[3] = {{3, 0.5f}, {1, 0.25f}};
        for (int x = seed * 7919; x > 0; x /= 10)
            digits[x % 10]++;
        entries[2] = (entry){seed, 2.0f};
        float sum = 0.0f;
        for (int i = 0; i < 10; i++)
            sum += digits[i] * i;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                sum += matrix[i][j] * matrix[1 - i][2 - j];
        for (int i = 0; i < 3; i++)
            sum += entries[i].key * entries[i].value;
        out[k] = sum;
    }
    for (int k = 0; k < N; k++)
        check_near("out", k, out[k], evaluate(k + 1), 1e-6);
    return finish();
}
