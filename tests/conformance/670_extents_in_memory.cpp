// Pointers to arrays of variable extents in C++, which gcc and others have. Clang takes the type of a cast that repeats the
// pointer's for another one.
// expect: launches=3 uploads=3 downloads=2
#include "check.h"
#include <complex>
#include <vector>

struct object {
    void *__restrict data;
    int *size;
};

static void scale(object *u_vec, object *w_vec, const int n)
{
    float (*__restrict u)[u_vec->size[1]][u_vec->size[2]] __attribute__((aligned(64))) =
        (float (*)[u_vec->size[1]][u_vec->size[2]]) u_vec->data;
    float (*__restrict w)[n] = (float (*)[n]) w_vec->data;
    const int x = u_vec->size[0], y = u_vec->size[1], z = u_vec->size[2];
#pragma acc enter data copyin(u[0:u_vec->size[0]][0:u_vec->size[1]][0:u_vec->size[2]])
#pragma acc enter data copyin(w[0:w_vec->size[0]][0:n])
#pragma acc parallel loop collapse(3) present(u, w)
    for (int i = 0; i < x; i++)
        for (int j = 0; j < y; j++)
            for (int k = 0; k < z; k++)
                u[i][j][k] *= w[i][j];
    auto last = [=](int i) {
        double sum = 0;
#pragma acc parallel loop reduction(+ : sum) present(u)
        for (int j = 0; j < y; j++)
            sum += u[i][j][z - 1];
        return sum;
    };
    double sum = last(1);
#pragma acc exit data copyout(u[0:u_vec->size[0]][0:u_vec->size[1]][0:u_vec->size[2]]) delete(w)
    double want = 0;
    for (int j = 0; j < y; j++)
        want += u[1][j][z - 1];
    check_near("sum", 0, sum, want, 1e-6);
}

static void turn(object *c_vec)
{
    std::complex<double> (*__restrict c)[c_vec->size[1]] = (std::complex<double> (*)[c_vec->size[1]]) c_vec->data;
#pragma acc parallel loop collapse(2) copy(c[0:3][0:c_vec->size[1]])
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            c[i][j] *= std::complex<double>(0, 1);
}

int main()
{
    std::vector<float> u(3 * 4 * 5), w(3 * 4);
    for (int i = 0; i < 60; i++)
        u[i] = i;
    for (int i = 0; i < 12; i++)
        w[i] = i + 1;
    int u_size[] = {3, 4, 5}, w_size[] = {3, 4};
    object u_vec = {u.data(), u_size}, w_vec = {w.data(), w_size};
    scale(&u_vec, &w_vec, 4);
    for (int i = 0; i < 60; i++)
        check_near("u", i, u[i], i * (i / 5 + 1), 0);
    std::vector<std::complex<double>> c(12, {2, 3});
    object c_vec = {c.data(), w_size};
    turn(&c_vec);
    for (int i = 0; i < 12; i++)
        check_true("c", c[i] == std::complex<double>(-3, 2));
    return finish();
}
