/* Input, check and report; blackscholes.c and blackscholes.cu supply the computation. */
#include "../common/bench.h"

#define RISK_FREE 0.02f
#define VOLATILITY 0.3f

/* European options: the prices of call and put from the price of the stock, the strike, and the
 * years to expiry. */
static void blackscholes(int n, const float *price, const float *strike, const float *years,
                         float *call, float *put, bench_timer *t);

static void serial_option(double s, double x, double years, double *call, double *put)
{
    double root = VOLATILITY * sqrt(years), r = RISK_FREE;
    double d1 = (log(s / x) + (r + 0.5 * VOLATILITY * VOLATILITY) * years) / root, d2 = d1 - root;
    double n1 = 0.5 * erfc(-d1 / sqrt(2.0)), n2 = 0.5 * erfc(-d2 / sqrt(2.0));
    double discounted = x * exp(-r * years);
    *call = s * n1 - discounted * n2;
    *put = discounted * (1.0 - n2) - s * (1.0 - n1);
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1000000);
    int reps = bench_arg(argc, argv, 2, 5);
    float *price = (float *)bench_alloc(n, sizeof *price);
    float *strike = (float *)bench_alloc(n, sizeof *strike);
    float *years = (float *)bench_alloc(n, sizeof *years);
    float *call = (float *)bench_alloc(n, sizeof *call);
    float *put = (float *)bench_alloc(n, sizeof *put);
    bench_fill_float(price, n, 1, 5.0, 30.0);
    bench_fill_float(strike, n, 2, 1.0, 100.0);
    bench_fill_float(years, n, 3, 0.25, 10.0);

    bench_timer kernel = bench_timer_many(reps);
    blackscholes(n, price, strike, years, call, put, &kernel);
    memset(call, 0, n * sizeof *call);
    memset(put, 0, n * sizeof *put);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    blackscholes(n, price, strike, years, call, put, &once);
    double app_ms = bench_now_ms() - start;

    int stride = 1 + n / 4000000;
    double error = 0.0;
    for (int i = 0; i < n; i += stride) {
        double want_call, want_put;
        serial_option(price[i], strike[i], years[i], &want_call, &want_put);
        error = bench_worst(error, call[i], want_call, 1.0);
        error = bench_worst(error, put[i], want_put, 1.0);
    }
    if (stride > 1)
        printf("compared one option in %d with the serial result\n", stride);

    char size[32];
    snprintf(size, sizeof size, "%d", n);
    int status = bench_report("blackscholes", size, &kernel, app_ms, error, 1e-4);
    free(price);
    free(strike);
    free(years);
    free(call);
    free(put);
    return status;
}
