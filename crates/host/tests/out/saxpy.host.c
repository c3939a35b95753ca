static const accl_site accl_sites[] = {
    {"saxpy.c", "saxpy", "parallel loop", 6, 8},
};
void saxpy_kernel_u0(long, long, long, void *const *);
static const accl_arg accl_args_saxpy_kernel[] = {{2, 0, 4, 0}, {2, 0, 4, 0}, {1, 0, 0, 5}, {1, 1, 0, 135}};
static const accl_variant accl_variants_saxpy_kernel[] = {{"saxpy_kernel_wide", 3, {256, 1, 1}, {4, 1, 1}, 0, 3108}, {"saxpy_kernel_noalias", 1, {256, 1, 1}, {1, 1, 1}, 0, 3954}, {"saxpy_kernel", 0, {256, 1, 1}, {1, 1, 1}, 0, 3954}};
static const accl_kernel accl_kernel_saxpy_kernel = {&accl_sites[0], saxpy_kernel_u0, 72, 1, {1, 0, 0}, 3, accl_variants_saxpy_kernel, 4, 0, accl_args_saxpy_kernel, 0};
static const accl_variant accl_variants_saxpy_kernel_index64[] = {{"saxpy_kernel_index64", 0, {256, 1, 1}, {1, 1, 1}, 0, 3954}};
static const accl_kernel accl_kernel_saxpy_kernel_index64 = {&accl_sites[0], saxpy_kernel_u0, 72, 1, {1, 0, 0}, 1, accl_variants_saxpy_kernel_index64, 4, 0, accl_args_saxpy_kernel, 0};
static const accl_kernel *const accl_kernel_saxpy_kernel_both[] = {&accl_kernel_saxpy_kernel, &accl_kernel_saxpy_kernel_index64};
# 0 "saxpy.c"
# 1 "saxpy.c"
# 2 "saxpy.c" 2
# 3 "saxpy.c" 2


# 4 "saxpy.c"
static void saxpy(int n, float a, const float *x, float *y)
{
# 6 "saxpy.c" 3
{
accl_var accl_vars[] = {
    {"x[:n]", (void *)x, 0, (unsigned long)(n) * sizeof(float), 2, 0, (unsigned)sizeof(float), 0, 0, 0, 0},
    {"y[:n]", (void *)y, 0, (unsigned long)(n) * sizeof(float), 1, 0, (unsigned)sizeof(float), 0, 0, 1, 0},
};
accl_data_begin(&accl_sites[0], accl_vars, 2, -1);
{
    int accl_value_0 = (int)n;
    float accl_value_1 = (float)a;
    const void *accl_values[] = {&accl_value_0, &accl_value_1, 0, 0};
    accl_launch_info accl_info;
    int accl_overflows = ((long long)(n) > 2130706431LL);
    accl_info.module = accl_module_u0_both[accl_overflows];
    accl_info.kernel = accl_kernel_saxpy_kernel_both[accl_overflows];
    accl_info.vars = accl_vars;
    accl_info.values = accl_values;
    accl_info.reduction_vars = 0;
    accl_info.trips[0] = ((long long)(n) > 0 ? (long long)(n) : 0);
    accl_info.trips[1] = 1;
    accl_info.trips[2] = 1;
    accl_info.num_gangs = 0;
    accl_info.num_workers = 0;
    accl_info.vector_length = 0;
    accl_info.row_length = 0;
    accl_info.async = -1;
    accl_launch(&accl_info);
}
accl_data_end(&accl_sites[0], accl_vars, 2, -1);
}
# 8 "saxpy.c"

}

int main(void)
{
    int n = 1000, bad = 0;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1.0f;
    }
    saxpy(n, 2.0f, x, y);
    for (int i = 0; i < n; i++)
        bad += y[i] != 2.0f * i + 1.0f;
    printf("%d wrong\n", bad);
    return bad != 0;
}
