// firstprivate arrays and structures: each iteration starts from the host's values, whether it writes its copy or
// not; the host's stay as they are. An array that is on the device has the host's values here all the same.
// expect: launches=5 uploads=2 downloads=6
#include "check.h"

#define N 300
#define GANGS 5

struct filter {
    int offset;
    double taps[3];
    struct {
        short shift, pad[3];
    } inner[2];
};

static double weights[4] = {0.5, 1.0, 1.5, 2.0};

int main(void)
{
    double out[N], want[N];
    float grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    struct filter f = {7, {1, 2, 4}, {{1, {0, 0, 0}}, {3, {9, 8, 7}}}};
    int counts[GANGS];

    // Read only, in two dimensions, and of file scope.
#pragma acc parallel loop firstprivate(grid, weights) copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = grid[i % 2][i % 3] * weights[i % 4];
    for (int i = 0; i < N; i++)
        check_near("read", i, out[i], grid[i % 2][i % 3] * weights[i % 4], 1e-12);

    // Written.
#pragma acc parallel loop firstprivate(grid, f) copyout(out)
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            grid[1][k] += i * f.taps[k];
        f.offset += i;
        f.inner[1].shift++;
        out[i] = grid[1][i % 3] + grid[0][1] + f.offset + f.inner[1].shift + f.inner[1].pad[0];
    }
    for (int i = 0; i < N; i++) {
        want[i] = 4.0 + i % 3 + (float)(i * f.taps[i % 3]) + 2 + 7 + i + 4 + 9;
        check_near("written", i, out[i], want[i], 1e-6);
    }
    check_int("the host's", 0, f.offset, 7);
    check_near("the host's", 1, grid[1][2], 6, 0);

    // Each gang's own, shared by its lanes.
#pragma acc parallel num_gangs(GANGS) vector_length(32) firstprivate(weights) copyout(out, counts)
    {
#pragma acc loop gang
        for (int g = 0; g < GANGS; g++) {
            weights[1] += g;
            counts[g] = (int)(weights[1] * 2);
#pragma acc loop vector
            for (int i = 0; i < N / GANGS; i++)
                out[g * (N / GANGS) + i] = weights[1] + weights[3] * i;
            weights[1] -= g;
        }
    }
    for (int g = 0; g < GANGS; g++) {
        check_int("counts", g, counts[g], 2 + 2 * g);
        for (int i = 0; i < N / GANGS; i++)
            check_near("gangs", i, out[g * (N / GANGS) + i], 1.0 + g + 2.0 * i, 1e-12);
    }

    // Present, with other values on the device.
#pragma acc enter data copyin(weights)
    weights[0] = 100;
#pragma acc parallel loop firstprivate(weights) copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = weights[0] + i;
#pragma acc exit data delete(weights)
    for (int i = 0; i < N; i++)
        check_near("present", i, out[i], 100 + i, 0);

    // Serial.
    double sum = 0;
#pragma acc serial firstprivate(grid) copy(sum)
    {
        grid[0][0] *= 10;
        for (int i = 0; i < 6; i++)
            sum += grid[i / 3][i % 3];
    }
    check_near("serial", 0, sum, 30, 1e-12);
    return finish();
}
