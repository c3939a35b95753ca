// Reaches of windows from members, references and templates, and in kernels that the host repeats; no header says int64_t.
// expect: launches=9
extern "C" int printf(const char *, ...);

template <typename T> struct Smoother {
    unsigned radius;
    long ahead;

    void run(int n, const T *a, T *b) const
    {
#pragma acc parallel loop gang vector(64) present(a[:n], b[:n])
        for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:radius:ahead])
            {
                T sum = 0;
                for (int k = -(int)radius; k <= ahead; k++)
                    if (i + k >= 0 && i + k < n)
                        sum += a[i + k];
                b[i] = sum;
            }
        }
    }
};

static void through(int n, const int &r, const double *a, double *b)
{
#pragma acc parallel loop gang vector(64) present(a[:n], b[:n])
    for (int i = 0; i < n; i++) {
        int last = r > 4 ? r : 4;
#pragma acc fcw FETCH_ONLY(a[i:0:last])
        b[i] += i + r < n ? a[i + r] : 0;
    }
}

static void repeated(int n, double *b)
{
#pragma acc kernels present(b[:n])
    for (int w = 1; w <= 16; w *= 4) {
#pragma acc loop independent gang vector(64)
        for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(b[i:w:0])
            if (i % 64 >= w)
                b[i] += b[i - w];
        }
    }
}

int main()
{
    enum { N = 1000 };
    static double a[N], b[N], want[N];
    int wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = i % 21;
#pragma acc data copyin(a) create(b)
    for (int r = 0; r < 3; r++) {
        Smoother<double> smoother = {(unsigned)r, 5L * r};
        smoother.run(N, a, b);
        through(N, r * 3, a, b);
        if (r == 0)
            repeated(N, b);
#pragma acc update self(b)
        for (int i = 0; i < N; i++) {
            want[i] = i + r * 3 < N ? a[i + r * 3] : 0;
            for (int k = -r; k <= 5 * r; k++)
                want[i] += i + k >= 0 && i + k < N ? a[i + k] : 0;
        }
        for (int w = 1; r == 0 && w <= 16; w *= 4)
            for (int begin = 0; begin < N; begin += 64)
                for (int i = begin + 63 < N ? begin + 63 : N - 1; i >= begin + w; i--)
                    want[i] += want[i - w];
        for (int i = 0; i < N; i++)
            wrong += b[i] != want[i];
    }
    printf(wrong ? "FAIL %d\n" : "PASS\n", wrong);
    return wrong != 0;
}
