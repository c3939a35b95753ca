static const accl_site accl_sites[] = {
    {"jacobi.c", "jacobi", "data", 9, 24},
    {"jacobi.c", "jacobi", "parallel loop", 12, 18},
    {"jacobi.c", "jacobi", "parallel loop", 19, 22},
    {"jacobi.c", "jacobi", "wait", 23, 23},
};
void jacobi_kernel_u0(long, long, long, void *const *);
static const accl_arg accl_args_jacobi_kernel[] = {{2, 0, 4, 0}, {1, 0, 0, 1}, {2, 0, 4, 0}, {1, 1, 0, 259}, {3, 0, 0, 0}};
static const accl_reduction accl_reductions_jacobi_kernel[] = {{3, 10}};
static const accl_variant accl_variants_jacobi_kernel[] = {{"jacobi_kernel", 0, {64, 4, 1}, {1, 8, 1}, 0, 14769}};
static const accl_kernel accl_kernel_jacobi_kernel = {&accl_sites[1], jacobi_kernel_u0, 64, 2, {1, 1, 0}, 1, accl_variants_jacobi_kernel, 5, 1, accl_args_jacobi_kernel, accl_reductions_jacobi_kernel};
static const accl_variant accl_variants_jacobi_kernel_index64[] = {{"jacobi_kernel_index64", 0, {64, 4, 1}, {1, 8, 1}, 0, 14769}};
static const accl_kernel accl_kernel_jacobi_kernel_index64 = {&accl_sites[1], jacobi_kernel_u0, 64, 2, {1, 1, 0}, 1, accl_variants_jacobi_kernel_index64, 5, 1, accl_args_jacobi_kernel, accl_reductions_jacobi_kernel};
static const accl_kernel *const accl_kernel_jacobi_kernel_both[] = {&accl_kernel_jacobi_kernel, &accl_kernel_jacobi_kernel_index64};
void jacobi_kernel_2_u0(long, long, long, void *const *);
static const accl_arg accl_args_jacobi_kernel_2[] = {{2, 0, 4, 0}, {1, 0, 0, 1}, {2, 0, 4, 0}, {1, 1, 0, 258}};
static const accl_variant accl_variants_jacobi_kernel_2[] = {{"jacobi_kernel_2_jam", 8, {64, 4, 1}, {1, 4, 1}, 0, 4143}, {"jacobi_kernel_2", 0, {64, 4, 1}, {1, 1, 1}, 0, 4986}};
static const accl_kernel accl_kernel_jacobi_kernel_2 = {&accl_sites[2], jacobi_kernel_2_u0, 64, 2, {1, 1, 0}, 2, accl_variants_jacobi_kernel_2, 4, 0, accl_args_jacobi_kernel_2, 0};
static const accl_variant accl_variants_jacobi_kernel_2_index64[] = {{"jacobi_kernel_2_index64", 0, {64, 4, 1}, {1, 1, 1}, 0, 4986}};
static const accl_kernel accl_kernel_jacobi_kernel_2_index64 = {&accl_sites[2], jacobi_kernel_2_u0, 64, 2, {1, 1, 0}, 1, accl_variants_jacobi_kernel_2_index64, 4, 0, accl_args_jacobi_kernel_2, 0};
static const accl_kernel *const accl_kernel_jacobi_kernel_2_both[] = {&accl_kernel_jacobi_kernel_2, &accl_kernel_jacobi_kernel_2_index64};
# 0 "jacobi.c"
# 1 "jacobi.c"
# 2 "jacobi.c" 2
# 3 "jacobi.c" 2
# 4 "jacobi.c" 2


# 5 "jacobi.c"
static double jacobi(int n, int steps, double *restrict a, double *restrict b)
{
    const int m = n + 2;
    double change = 1.0;
# 9 "jacobi.c" 3
{
accl_var accl_vars[] = {
    {"a[:m * m]", (void *)a, 0, (unsigned long)(m * m) * sizeof(double), 1, 0, (unsigned)sizeof(double), 0, 0, 1, 0},
    {"b[:m * m]", (void *)b, 0, (unsigned long)(m * m) * sizeof(double), 4, 0, (unsigned)sizeof(double), 0, 0, 1, 0},
};
accl_data_begin(&accl_sites[0], accl_vars, 2, -1);
# 10 "jacobi.c"
    for (int step = 0; step < steps && change > 1e-6; step++) {
        change = 0.0;
# 12 "jacobi.c" 3
{
accl_var accl_vars[] = {
    {"a[:m * m]", (void *)a, 0, (unsigned long)(m * m) * sizeof(double), 6, 1, (unsigned)sizeof(double), 0, 0, 1, 0},
    {"b[:m * m]", (void *)b, 0, (unsigned long)(m * m) * sizeof(double), 6, 1, (unsigned)sizeof(double), 0, 0, 1, 0},
};
accl_data_begin(&accl_sites[1], accl_vars, 2, -1);
{
    int accl_value_0 = (int)n;
    int accl_value_2 = (int)m;
    const void *accl_values[] = {&accl_value_0, 0, &accl_value_2, 0, 0};
    void *accl_reductions[] = {(void *)&change};
    accl_launch_info accl_info;
    int accl_overflows = ((long long)(n) > 2013265919LL);
    accl_info.module = accl_module_u0_both[accl_overflows];
    accl_info.kernel = accl_kernel_jacobi_kernel_both[accl_overflows];
    accl_info.vars = accl_vars;
    accl_info.values = accl_values;
    accl_info.reduction_vars = accl_reductions;
    accl_info.trips[0] = ((long long)(n) >= 1 ? ((long long)(n) - 1) + 1 : 0);
    accl_info.trips[1] = ((long long)(n) >= 1 ? ((long long)(n) - 1) + 1 : 0);
    accl_info.trips[2] = 1;
    accl_info.num_gangs = 0;
    accl_info.num_workers = 0;
    accl_info.vector_length = 0;
    accl_info.row_length = 0;
    accl_info.async = -1;
    accl_launch(&accl_info);
}
accl_data_end(&accl_sites[1], accl_vars, 2, -1);
}
# 18 "jacobi.c"

# 19 "jacobi.c" 3
{
accl_var accl_vars[] = {
    {"b[:m * m]", (void *)b, 0, (unsigned long)(m * m) * sizeof(double), 6, 1, (unsigned)sizeof(double), 0, 0, 1, 0},
    {"a[:m * m]", (void *)a, 0, (unsigned long)(m * m) * sizeof(double), 6, 1, (unsigned)sizeof(double), 0, 0, 1, 0},
};
accl_data_begin(&accl_sites[2], accl_vars, 2, (long)(1));
{
    int accl_value_0 = (int)n;
    int accl_value_2 = (int)m;
    const void *accl_values[] = {&accl_value_0, 0, &accl_value_2, 0};
    accl_launch_info accl_info;
    int accl_overflows = ((long long)(n) > 2013265919LL);
    accl_info.module = accl_module_u0_both[accl_overflows];
    accl_info.kernel = accl_kernel_jacobi_kernel_2_both[accl_overflows];
    accl_info.vars = accl_vars;
    accl_info.values = accl_values;
    accl_info.reduction_vars = 0;
    accl_info.trips[0] = ((long long)(n) >= 1 ? ((long long)(n) - 1) + 1 : 0);
    accl_info.trips[1] = ((long long)(n) >= 1 ? ((long long)(n) - 1) + 1 : 0);
    accl_info.trips[2] = 1;
    accl_info.num_gangs = 0;
    accl_info.num_workers = 0;
    accl_info.vector_length = 0;
    accl_info.row_length = 0;
    accl_info.async = (long)(1);
    accl_launch(&accl_info);
}
accl_data_end(&accl_sites[2], accl_vars, 2, (long)(1));
}
# 22 "jacobi.c"

# 23 "jacobi.c" 3
{
{ long accl_queues[] = {(long)(1)};
  accl_wait(&accl_sites[3], accl_queues, 1, -1); }
}
# 24 "jacobi.c"
    }
# 24 "jacobi.c" 3
accl_data_end(&accl_sites[0], accl_vars, 2, -1);
}
# 24 "jacobi.c"

    return change;
}

int main(void)
{
    int n = 62, m = n + 2;
    double *a = calloc(m * m, sizeof *a), *b = calloc(m * m, sizeof *b);
    for (int i = 0; i < m; i++)
        a[i] = 1.0;
    double change = jacobi(n, 50, a, b);
    double middle = a[10 * m + m / 2];
    printf("change %.6f middle %.6f\n", change, middle);
    return fabs(change - 0.004847) > 1e-6 || fabs(middle - 0.046044) > 1e-6;
}
