// An array of pointers that is a member of a class: named in clauses, and reached through the object.
// expect: launches=2
#include "check.h"

struct Grid {
    int n, m;
    float *store[9];
    float **rows;

    Grid(int n, int m, float *block) : n(n), m(m), rows(store)
    {
        for (int i = 0; i < n; i++) {
            rows[i] = block + 2 * i * m;
            for (int j = 0; j < m; j++)
                rows[i][j] = i + j;
        }
    }
    void enter()
    {
#pragma acc enter data copyin(this[0:1])
#pragma acc enter data copyin(rows[0:n][0:m])
    }
    void leave()
    {
#pragma acc exit data copyout(rows[0:n][0:m])
#pragma acc exit data delete(this[0:1])
    }
    void twice()
    {
#pragma acc parallel loop collapse(2) present(rows[0:n][0:m])
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                rows[i][j] *= 2;
    }
    void more()
    {
#pragma acc parallel loop collapse(2) present(this[0:1])
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                rows[i][j] += 1;
    }
};

int main()
{
    static float block[2 * 9 * 13];
    Grid g(9, 13, block);
    g.enter();
    g.twice();
    g.more();
    g.leave();
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 13; j++)
            check_near("g", i * 13 + j, g.rows[i][j], 2 * (i + j) + 1, 0);
    return finish();
}
