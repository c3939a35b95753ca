// Side effects, conversions, conditionals: everything an expression can do.
#include <math.h>
#include <stdbool.h>

enum color { RED, GREEN = 5, BLUE };
static const double SCALE = 2.5;
static const int WIDTH = 3 * 4;
int counter;

void f(int n, float *x, double *d, unsigned char *c, short *s, unsigned *u, long *l)
{
#pragma acc parallel loop copy(x[0:n], d[0:n], c[0:n], s[0:n], u[0:n], l[0:n]) copy(counter)
    for (int i = 0; i < n; i++) {
        int j = i, k;
        float t = 1;
        // compound assignments compute in the wider type
        x[i] += d[i];
        c[i] += 1;
        s[i] <<= 2;
        u[i] >>= j;
        l[i] *= 2;
        t *= 3;
        c[i] ^= 0xff;
        // order of effects
        x[j++] = d[--j];
        k = j++ + ++j;
        x[i] = t = k = 7;
        k = (j += 2, j * 2);
        // conditions
        if (x[i] && !d[i] || j)
            k = 1;
        if (j > 0 && (k = j) > 3 && k++ < 10)
            k = 2;
        k = j > 0 ? k++ : --k;
        d[i] = x[i] > 0 ? x[i] : d[i];
        // constants and enumerators
        d[i] = SCALE * WIDTH + GREEN + sizeof(double) + 'a' + 1e-3f + -1 + ~0;
        bool b = d[i];
        b = !b;
        u[i] = -1;
        l[i] = u[i] + j;
        // mathematical functions
        x[i] = sqrtf(x[i]) + sqrt(x[i]);
        x[i] = sqrt(x[i]);
        x[i] = fmax(x[i], 0.0);
        x[i] = exp(x[i]);
        d[i] = pow(d[i], 2) + fabs(x[i]) + floor(d[i]) + (isnan(d[i]) ? 1 : INFINITY);
        counter = j;
        // pointers
        float *p = x + i, *q = &x[1];
        *p++ = *q--;
        p[1] = *(p + 2) + (q - p) + (p == q);
        (*p)++;
    }
}
