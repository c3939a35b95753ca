// References to arrays whose types are deduced.
// expect: launches=4
#include "check.h"

int main()
{
    int rows[3][5] = {};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            rows[i][j] = 10 * i + j;

    auto &all = rows;
#pragma acc parallel loop collapse(2) copy(all)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            all[i][j] *= 2;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            check_int("auto", 5 * i + j, rows[i][j], 20 * i + 2 * j);

    int s = 0;
    const auto &read = rows;
#pragma acc parallel loop collapse(2) reduction(+ : s) copyin(read)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            s += read[i][j];
    check_int("const auto", 0, s, 5 * 60 + 3 * 20);

    s = 0;
    auto &&row = rows[2];
#pragma acc parallel loop reduction(+ : s) copyin(row)
    for (int j = 0; j < 5; j++)
        s += row[j];
    check_int("auto of a row", 0, s, 5 * 40 + 20);

    /* Without a clause. */
#pragma acc parallel loop
    for (int j = 0; j < 5; j++)
        all[1][j] = -j;
    check_int("no clause", 0, rows[1][4], -4);
    return finish();
}
