// Methods called in kernels on objects that live there, constructors, operators, static members.
// gcc: rejects, routine inside a class
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

struct Complex {
    double re, im;
#pragma acc routine seq
    Complex(double r, double i) : re(r), im(i) {}
#pragma acc routine seq
    Complex operator*(const Complex &o) const
    {
        return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
    }
#pragma acc routine seq
    Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
#pragma acc routine seq
    double norm() const { return re * re + im * im; }
#pragma acc routine seq
    void conjugate() { im = -im; }
#pragma acc routine seq
    static int limit() { return 64; }
};

static int escape(double x, double y)
{
    double re = x, im = -y, t;
    int k = 0;
    while (k < 64 && re * re + im * im <= 4.0) {
        t = re * re - im * im + x;
        im = 2 * re * im - y;
        re = t;
        k++;
    }
    return k;
}

int main()
{
    const int n = 30, m = 41;
    static double xs[m];
    static int out[n][m];
    for (int j = 0; j < m; j++)
        xs[j] = -2.0 + j * 0.0625;
#pragma acc parallel loop collapse(2) copyin(xs) copyout(out)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            Complex c(xs[j], -1.0 + i * 0.0625);
            c.conjugate();
            Complex z = c;
            int k = 0;
            while (k < Complex::limit() && z.norm() <= 4.0) {
                z = z * z + c;
                k++;
            }
            out[i][j] = k;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_int("out", i * m + j, out[i][j], escape(xs[j], -1.0 + i * 0.0625));
    return finish();
}
