/* Input and check of HOTSPOT: heat on a chip (after Rodinia). */
#include "../frame.h"

#define FLOAT float
#define MAX_PD (3.0e6f)
#define PRECISION 0.001f
#define SPEC_HEAT_SI 1.75e6f
#define K_SI 100.0f
#define FACTOR_CHIP 0.5f
static const FLOAT t_chip = 0.0005f, chip_height = 0.016f, chip_width = 0.016f, amb_temp = 80.0f;

static FLOAT *temp, *power, *result;
static int row, col, sim_time;

typedef struct {
    FLOAT cap_1, rx_1, ry_1, rz_1;
} factors;

static factors factors_of(int row, int col)
{
    FLOAT grid_height = chip_height / row, grid_width = chip_width / col;
    FLOAT cap = FACTOR_CHIP * SPEC_HEAT_SI * t_chip * grid_width * grid_height;
    FLOAT rx = grid_width / (2.0f * K_SI * t_chip * grid_height);
    FLOAT ry = grid_height / (2.0f * K_SI * t_chip * grid_width);
    FLOAT rz = t_chip / (K_SI * grid_height * grid_width);
    FLOAT max_slope = MAX_PD / (FACTOR_CHIP * t_chip * SPEC_HEAT_SI);
    FLOAT step = PRECISION / max_slope / 1000.0f;
    factors f = {step / cap, 1.f / rx, 1.f / ry, 1.f / rz};
    return f;
}

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_hotspot", "", bench_arg(argc, argv, 3, 1), 1e-4};
    row = col = bench_arg(argc, argv, 1, 256);
    sim_time = bench_arg(argc, argv, 2, 10);
    if (row % 16)
        exit(2);
    temp = (FLOAT *)bench_alloc((size_t)row * col, sizeof(FLOAT));
    power = (FLOAT *)bench_alloc((size_t)row * col, sizeof(FLOAT));
    result = (FLOAT *)bench_alloc((size_t)row * col, sizeof(FLOAT));
    snprintf(facts.size, sizeof facts.size, "%dx%dx%d", row, col, sim_time);
    return facts;
}

LINKAGE void input(void)
{
    for (int i = 0; i < row * col; i++) {
        temp[i] = 320.0f + (FLOAT)(i % 1009) * 0.01f;
        power[i] = 1e-4f * (FLOAT)(i % 31);
    }
}

LINKAGE double digest(void)
{
    double sum = 0;
    FLOAT *last = sim_time & 1 ? result : temp;
    for (int i = 0; i < row * col; i++)
        sum += last[i];
    return sum;
}

LINKAGE double check(void)
{
    double error = 0;
    size_t cells = (size_t)row * col;
    FLOAT *got = (FLOAT *)bench_alloc(cells, sizeof *got), *next = (FLOAT *)bench_alloc(cells, sizeof *next);
    factors f = factors_of(row, col);
    memcpy(got, sim_time & 1 ? result : temp, cells * sizeof *got);
    input();
    for (int step = 0; step < sim_time; step++) {
        for (int r = 0; r < row; r++)
            for (int c = 0; c < col; c++) {
                int at = r * col + c;
                FLOAT here = temp[at], up = r ? temp[at - col] : here, down = r < row - 1 ? temp[at + col] : here;
                FLOAT left = c ? temp[at - 1] : here, right = c < col - 1 ? temp[at + 1] : here;
                next[at] = here + f.cap_1 * (power[at] + (down + up - 2.f * here) * f.ry_1 +
                                             (right + left - 2.f * here) * f.rx_1 + (amb_temp - here) * f.rz_1);
            }
        memcpy(temp, next, cells * sizeof *next);
    }
    for (size_t i = 0; i < cells; i++)
        error = bench_worst(error, got[i], temp[i], 1.0);
    free(got);
    free(next);
    return error;
}
