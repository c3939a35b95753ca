/* Threads that go along lines repeat the turns that use up a sector, but not where they have loops of another kind, too, which the device's
 * compiler repeats as it sees fit. */
// expect: launches=1
// expect-remark: Schedule plain: grid\(p:x\) threads\(i:x, k:x\) block\(\d+\) \[
#include "check.h"

enum { POINTS = 5, LINES = 70, LENGTH = 96, SUMS = 130 };
static float picture[POINTS][LINES][LENGTH], running[POINTS][LINES][LENGTH], found[POINTS][SUMS];

int main(void)
{
    for (int p = 0; p < POINTS; p++)
        for (int i = 0; i < LINES; i++)
            for (int j = 0; j < LENGTH; j++)
                picture[p][i][j] = (p + i * 3 + j) % 13;
#pragma acc parallel loop gang copyin(picture) copyout(running, found)
    for (int p = 0; p < POINTS; p++) {
#pragma acc loop vector
        for (int i = 0; i < LINES; i++) {
            float total = 0;
            for (int j = 0; j < LENGTH; j++) {
                total = 0.5f * total + picture[p][i][j];
                running[p][i][j] = total;
            }
        }
#pragma acc loop vector
        for (int k = 0; k < SUMS; k++) {
            float sum = 0;
            for (int j = 0; j < LENGTH; j++)
                sum += picture[p][k % LINES][j] * picture[p][(k + 1) % LINES][j];
            found[p][k] = sum;
        }
    }
    for (int p = 0; p < POINTS; p++) {
        for (int i = 0; i < LINES; i++) {
            float total = 0;
            for (int j = 0; j < LENGTH; j++) {
                total = 0.5f * total + picture[p][i][j];
                check_near("running", (p * LINES + i) * LENGTH + j, running[p][i][j], total, 1e-6);
            }
        }
        for (int k = 0; k < SUMS; k++) {
            float sum = 0;
            for (int j = 0; j < LENGTH; j++)
                sum += picture[p][k % LINES][j] * picture[p][(k + 1) % LINES][j];
            check_near("found", p * SUMS + k, found[p][k], sum, 1e-6);
        }
    }
    return finish();
}
