// Loops of one parallel construct, of which one spreads its iterations over lanes and the next one does not, use an array that is
// a local one of the host: gangs do not wait for each other, so that each loop is a launch.
// expect: launches=3
#include "check.h"

int main(void)
{
    int n[32], arr[1024];
    for (int i = 0; i < 32; i++)
        n[i] = i % 5;
    for (int i = 0; i < 1024; i++)
        arr[i] = 0;
#pragma acc parallel copy(n, arr) num_gangs(32) num_workers(1) vector_length(32)
    {
#pragma acc loop gang(static : *)
        for (int j = 0; j < 32; j++)
            n[j]++;
#pragma acc loop gang(static : *)
        for (int j = 0; j < 32; j++)
            switch (n[j]) {
            case 1:
#pragma acc loop vector
                for (int k = 0; k < 32; k++)
                    arr[j * 32 + k] += 1;
                break;
            case 2:
            case 3:
            case 4:
            case 5:
#pragma acc loop vector
                for (int k = 0; k < 32; k++)
                    arr[j * 32 + k] += n[j];
                break;
            default:
                arr[j * 32] = 100;
            }
#pragma acc loop gang(static : *)
        for (int j = 0; j < 32; j++)
            n[j]++;
    }
    for (int i = 0; i < 32; i++)
        check_int("n", i, n[i], i % 5 + 2);
    for (int i = 0; i < 1024; i++)
        check_int("arr", i, arr[i], i / 32 % 5 + 1);
    return finish();
}
