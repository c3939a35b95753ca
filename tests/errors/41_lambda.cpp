double g(int n, double *a, double s)
{
    auto stale = [=](int i) { return a[i] * s; };
    s = 3;
    auto counts = [c = 0]() mutable { return c++; };
    auto computed = [q = a[3]](int i) { return q * i; };
    double x = 5;
    auto keeps = [=](int i) { return x + i; };
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = stale(i);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = counts();
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = computed(i);
#pragma acc parallel loop copy(a[0:n]) private(x)
    for (int i = 0; i < n; i++) {
        x = 3;
        a[i] = keeps(i) + x;
    }
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++) {
        auto root = [](int i) {
            for (int k = 0; k < i; k++)
                if (k * k > i)
                    return k;
            return 0;
        };
        a[i] = root(i);
    }
    auto pick = n > 3 ? +[](int i) { return i; } : +[](int i) { return 2 * i; };
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = pick(i);
    return x;
}
template <class F> double given(int n, double *a, F f)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = f(i);
    return a[0];
}
double in_a_condition(int n, double *a)
{
    while (given(n, a, [=](auto i) { return n - i; }) > 3)
        n--;
    return n;
}
