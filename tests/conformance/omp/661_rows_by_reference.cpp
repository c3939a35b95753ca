// The address of a row that `auto &` names, and text that is copied from a literal.
// expect: launches=1
#include "../check.h"
#include <cstring>

#define N 6

static void number(unsigned (&table)[N][4])
{
    for (auto &row : table) {
        int which = &row - &table[0];
        for (auto &element : row)
            element += 10 * which;
    }
}

int main()
{
    unsigned tables[3][N][4] = {};
    char text[3][16] = {"some", "more", "text"};
#pragma omp target teams distribute parallel for map(tofrom : tables, text)
    for (int i = 0; i < 3; i++) {
        number(tables[i]);
        memcpy(text[i] + 4, " of it", 7);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < N * 4; k++)
            check_int("number", k, tables[i][k / 4][k % 4], k / 4 * 10);
        check_true("text", std::strcmp(text[i] + 4, " of it") == 0);
    }
    return finish();
}
