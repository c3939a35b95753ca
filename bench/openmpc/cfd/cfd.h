/* Input and check of CFD: flow around a body on an unstructured grid (after Rodinia's euler3d). */
#include "../frame.h"

#define GAMMA 1.4f
#define NDIM 3
#define NNB 4
#define RK 3
#define NVAR (NDIM + 2)
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_DENSITY_ENERGY (VAR_MOMENTUM + NDIM)

typedef struct {
    float x, y, z;
} float3_;

static float *areas, *normals, *variables, *old_variables, *fluxes, *step_factors, ff_variable[NVAR];
static int *elements_surrounding_elements, nel, iterations;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_cfd", "", bench_arg(argc, argv, 3, 1), 1e-3};
    nel = bench_arg(argc, argv, 1, 1000);
    iterations = bench_arg(argc, argv, 2, 3);
    areas = (float *)bench_alloc(nel, sizeof(float));
    elements_surrounding_elements = (int *)bench_alloc((size_t)nel * NNB, sizeof(int));
    normals = (float *)bench_alloc((size_t)nel * NNB * NDIM, sizeof(float));
    variables = (float *)bench_alloc((size_t)nel * NVAR, sizeof(float));
    old_variables = (float *)bench_alloc((size_t)nel * NVAR, sizeof(float));
    fluxes = (float *)bench_alloc((size_t)nel * NVAR, sizeof(float));
    step_factors = (float *)bench_alloc(nel, sizeof(float));
    snprintf(facts.size, sizeof facts.size, "%dx%d", nel, iterations);
    return facts;
}

/* A long grid whose cells have neighbours before, behind, and a row away; some at the border have the flow from outside. */
LINKAGE void input(void)
{
    int row = 97;
    for (int i = 0; i < nel; i++) {
        int next[NNB] = {i - 1, i + 1, i - row, i + row};
        areas[i] = 1.0f + 0.1f * (float)noise(i, 1);
        for (int k = 0; k < NNB; k++) {
            elements_surrounding_elements[i + k * nel] = next[k] < 0 ? -2 : next[k] >= nel ? -1 : next[k];
            for (int d = 0; d < NDIM; d++)
                normals[i + (d + k * NDIM) * nel] =
                    (k / 2 == d ? (k % 2 ? 0.5f : -0.5f) : 0.0f) + 0.01f * (float)(noise(i * 12 + k * 3 + d, 2) - 0.5);
        }
    }
    ff_variable[VAR_DENSITY] = 1.4f;
    ff_variable[VAR_MOMENTUM] = 1.4f * 0.3f;
    ff_variable[VAR_MOMENTUM + 1] = ff_variable[VAR_MOMENTUM + 2] = 0;
    ff_variable[VAR_DENSITY_ENERGY] = 1.4f * 0.5f * 0.09f + 1.0f / (GAMMA - 1.0f);
    for (int i = 0; i < nel; i++)
        for (int j = 0; j < NVAR; j++)
            variables[i + j * nel] = ff_variable[j] * (1.0f + 0.01f * (float)noise(i, j + 3));
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int i = 0; i < nel * NVAR; i++)
        sum += variables[i];
    return sum;
}

#ifdef __CUDACC__
#define BOTH __host__ __device__ static inline
#else
#define BOTH static inline
#endif

BOTH void compute_velocity(float density, float3_ momentum, float3_ *velocity)
{
    velocity->x = momentum.x / density;
    velocity->y = momentum.y / density;
    velocity->z = momentum.z / density;
}

BOTH float compute_speed_sqd(float3_ velocity)
{
    return velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z;
}

BOTH float compute_pressure(float density, float density_energy, float speed_sqd)
{
    return (GAMMA - 1.0f) * (density_energy - 0.5f * density * speed_sqd);
}

BOTH float compute_speed_of_sound(float density, float pressure) { return sqrtf(GAMMA * pressure / density); }

BOTH void compute_flux_contribution(float density, float3_ momentum, float density_energy, float pressure, float3_ velocity,
                                    float3_ *fc_x, float3_ *fc_y, float3_ *fc_z, float3_ *fc_energy)
{
    float de_p = density_energy + pressure;
    (void)density;
    fc_x->x = velocity.x * momentum.x + pressure;
    fc_x->y = velocity.x * momentum.y;
    fc_x->z = velocity.x * momentum.z;
    fc_y->x = fc_x->y;
    fc_y->y = velocity.y * momentum.y + pressure;
    fc_y->z = velocity.y * momentum.z;
    fc_z->x = fc_x->z;
    fc_z->y = fc_y->z;
    fc_z->z = velocity.z * momentum.z + pressure;
    fc_energy->x = velocity.x * de_p;
    fc_energy->y = velocity.y * de_p;
    fc_energy->z = velocity.z * de_p;
}

BOTH float step_factor_of(int i, int nel, const float *variables, const float *areas)
{
    float density = variables[i + VAR_DENSITY * nel], energy = variables[i + VAR_DENSITY_ENERGY * nel];
    float3_ momentum = {variables[i + VAR_MOMENTUM * nel], variables[i + (VAR_MOMENTUM + 1) * nel],
                        variables[i + (VAR_MOMENTUM + 2) * nel]}, velocity;
    compute_velocity(density, momentum, &velocity);
    float speed_sqd = compute_speed_sqd(velocity), pressure = compute_pressure(density, energy, speed_sqd);
    return 0.5f / (sqrtf(areas[i]) * (sqrtf(speed_sqd) + compute_speed_of_sound(density, pressure)));
}

/* The flux into cell i; written once here for the twin and the serial check. */
BOTH void flux_of(int i, int nel, const int *around, const float *normals, const float *variables, const float *ff, float *flux)
{
    float density_i = variables[i], energy_i = variables[i + VAR_DENSITY_ENERGY * nel];
    float3_ m_i = {variables[i + nel], variables[i + 2 * nel], variables[i + 3 * nel]}, v_i, x_i, y_i, z_i, e_i;
    compute_velocity(density_i, m_i, &v_i);
    float sqd_i = compute_speed_sqd(v_i), speed_i = sqrtf(sqd_i), p_i = compute_pressure(density_i, energy_i, sqd_i);
    float sound_i = compute_speed_of_sound(density_i, p_i);
    compute_flux_contribution(density_i, m_i, energy_i, p_i, v_i, &x_i, &y_i, &z_i, &e_i);
    float sum[NVAR] = {0, 0, 0, 0, 0};
    for (int j = 0; j < NNB; j++) {
        int nb = around[i + j * nel];
        float3_ n = {normals[i + (j * NDIM) * nel], normals[i + (1 + j * NDIM) * nel], normals[i + (2 + j * NDIM) * nel]};
        float len = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
        if (nb == -1) {
            sum[1] += n.x * p_i;
            sum[2] += n.y * p_i;
            sum[3] += n.z * p_i;
            continue;
        }
        const float *at = nb == -2 ? ff : variables + nb;
        int step = nb == -2 ? 1 : nel;
        float density = at[0], energy = at[4 * step];
        float3_ m = {at[step], at[2 * step], at[3 * step]}, v, x, y, z, e;
        compute_velocity(density, m, &v);
        float sqd = compute_speed_sqd(v), p = compute_pressure(density, energy, sqd);
        compute_flux_contribution(density, m, energy, p, v, &x, &y, &z, &e);
        if (nb >= 0) {
            float f = -len * 0.2f * 0.5f * (speed_i + sqrtf(sqd) + sound_i + compute_speed_of_sound(density, p));
            sum[0] += f * (density_i - density);
            sum[4] += f * (energy_i - energy);
            sum[1] += f * (m_i.x - m.x);
            sum[2] += f * (m_i.y - m.y);
            sum[3] += f * (m_i.z - m.z);
        }
        float fx = 0.5f * n.x, fy = 0.5f * n.y, fz = 0.5f * n.z;
        sum[0] += fx * (m.x + m_i.x) + fy * (m.y + m_i.y) + fz * (m.z + m_i.z);
        sum[4] += fx * (e.x + e_i.x) + fy * (e.y + e_i.y) + fz * (e.z + e_i.z);
        sum[1] += fx * (x.x + x_i.x) + fy * (x.y + x_i.y) + fz * (x.z + x_i.z);
        sum[2] += fx * (y.x + y_i.x) + fy * (y.y + y_i.y) + fz * (y.z + y_i.z);
        sum[3] += fx * (z.x + z_i.x) + fy * (z.y + z_i.y) + fz * (z.z + z_i.z);
    }
    for (int k = 0; k < NVAR; k++)
        flux[i + k * nel] = sum[k];
}

LINKAGE double check(void)
{
    double error = 0;
    size_t all = (size_t)nel * NVAR;
    float *got = (float *)bench_alloc(all, sizeof(float));
    memcpy(got, variables, all * sizeof(float));
    input();
    for (int step = 0; step < iterations; step++) {
        memcpy(old_variables, variables, all * sizeof(float));
        for (int i = 0; i < nel; i++)
            step_factors[i] = step_factor_of(i, nel, variables, areas);
        for (int rk = 0; rk < RK; rk++) {
            for (int i = 0; i < nel; i++)
                flux_of(i, nel, elements_surrounding_elements, normals, variables, ff_variable, fluxes);
            for (int i = 0; i < nel; i++)
                for (int k = 0; k < NVAR; k++)
                    variables[i + k * nel] = old_variables[i + k * nel] + step_factors[i] / (RK + 1 - rk) * fluxes[i + k * nel];
        }
    }
    for (size_t i = 0; i < all; i++)
        error = bench_worst(error, got[i], variables[i], 1.0);
    free(got);
    return error;
}
