// has_device_addr: in the block of use_device_addr the names mean the variables on the device.
// expect: launches=5
// needs: separate
#include "../check.h"

#define N 90

static int global[N];

int main(void)
{
    int array[N], scalar = 5, matrix[6][7];
    for (int i = 0; i < N; i++)
        array[i] = global[i] = i;
#pragma omp target data map(tofrom: array) map(from: matrix)
#pragma omp target data use_device_addr(array, matrix)
    {
#pragma omp target has_device_addr(array)
        array[3] = scalar;
#pragma omp target teams distribute parallel for has_device_addr(array)
        for (int i = 10; i < N; i++)
            array[i] *= 2;
#pragma omp target teams distribute parallel for collapse(2) has_device_addr(matrix)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 7; j++)
                matrix[i][j] = scalar + 7 * i + j;
    }
    for (int i = 0; i < N; i++)
        check_int("array", i, array[i], i == 3 ? 5 : i < 10 ? i : 2 * i);
    for (int i = 0; i < 42; i++)
        check_int("matrix", i, matrix[i / 7][i % 7], 5 + i);

    // With the map on the same directive, of a global array and a section of it.
#pragma omp target data map(tofrom: global) use_device_addr(global)
    {
#pragma omp target has_device_addr(global[0:N])
        for (int i = 0; i < N; i++)
            global[i]++;
    }
#pragma omp target data map(tofrom: global[10:20]) use_device_addr(global[10:20])
    {
#pragma omp target teams distribute parallel for has_device_addr(global[10:20])
        for (int i = 10; i < 30; i++)
            global[i]++;
    }
    for (int i = 0; i < N; i++)
        check_int("global", i, global[i], i + (i >= 10 && i < 30 ? 2 : 1));
    return finish();
}
