/* CFD for a CPU, as Rodinia has it: arrays of elements side by side, small structures by value, functions that get places for
 * their results. */
#define FRAME_MAIN
#include "cfd.h"

static void copy(float *dst, float *src, int N)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < N; i++)
        dst[i] = src[i];
}

static void compute_step_factor(int nelr, float *variables, float *areas, float *step_factors)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < nelr; i++) {
        float density = variables[i + VAR_DENSITY * nelr];
        float3_ momentum;
        momentum.x = variables[i + (VAR_MOMENTUM + 0) * nelr];
        momentum.y = variables[i + (VAR_MOMENTUM + 1) * nelr];
        momentum.z = variables[i + (VAR_MOMENTUM + 2) * nelr];
        float density_energy = variables[i + VAR_DENSITY_ENERGY * nelr];
        float3_ velocity;
        compute_velocity(density, momentum, &velocity);
        float speed_sqd = compute_speed_sqd(velocity);
        float pressure = compute_pressure(density, density_energy, speed_sqd);
        float speed_of_sound = compute_speed_of_sound(density, pressure);
        step_factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(speed_sqd) + speed_of_sound));
    }
}

static void compute_flux(int nelr, int *elements_surrounding_elements, float *normals, float *variables, float *fluxes)
{
    const float smoothing_coefficient = 0.2f;
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < nelr; i++) {
        int j, nb;
        float3_ normal;
        float normal_len, factor;
        float density_i = variables[i + VAR_DENSITY * nelr];
        float3_ momentum_i;
        momentum_i.x = variables[i + (VAR_MOMENTUM + 0) * nelr];
        momentum_i.y = variables[i + (VAR_MOMENTUM + 1) * nelr];
        momentum_i.z = variables[i + (VAR_MOMENTUM + 2) * nelr];
        float density_energy_i = variables[i + VAR_DENSITY_ENERGY * nelr];
        float3_ velocity_i;
        compute_velocity(density_i, momentum_i, &velocity_i);
        float speed_sqd_i = compute_speed_sqd(velocity_i);
        float speed_i = sqrtf(speed_sqd_i);
        float pressure_i = compute_pressure(density_i, density_energy_i, speed_sqd_i);
        float speed_of_sound_i = compute_speed_of_sound(density_i, pressure_i);
        float3_ fx_i, fy_i, fz_i, fe_i;
        compute_flux_contribution(density_i, momentum_i, density_energy_i, pressure_i, velocity_i, &fx_i, &fy_i, &fz_i, &fe_i);

        float flux_i_density = 0.0f;
        float3_ flux_i_momentum;
        flux_i_momentum.x = 0.0f;
        flux_i_momentum.y = 0.0f;
        flux_i_momentum.z = 0.0f;
        float flux_i_density_energy = 0.0f;
        float3_ velocity_nb, momentum_nb, fx_nb, fy_nb, fz_nb, fe_nb;
        float density_nb, density_energy_nb, speed_sqd_nb, speed_of_sound_nb, pressure_nb;

        for (j = 0; j < NNB; j++) {
            nb = elements_surrounding_elements[i + j * nelr];
            normal.x = normals[i + (0 + j * NDIM) * nelr];
            normal.y = normals[i + (1 + j * NDIM) * nelr];
            normal.z = normals[i + (2 + j * NDIM) * nelr];
            normal_len = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);

            if (nb >= 0) {
                density_nb = variables[nb + VAR_DENSITY * nelr];
                momentum_nb.x = variables[nb + (VAR_MOMENTUM + 0) * nelr];
                momentum_nb.y = variables[nb + (VAR_MOMENTUM + 1) * nelr];
                momentum_nb.z = variables[nb + (VAR_MOMENTUM + 2) * nelr];
                density_energy_nb = variables[nb + VAR_DENSITY_ENERGY * nelr];
                compute_velocity(density_nb, momentum_nb, &velocity_nb);
                speed_sqd_nb = compute_speed_sqd(velocity_nb);
                pressure_nb = compute_pressure(density_nb, density_energy_nb, speed_sqd_nb);
                speed_of_sound_nb = compute_speed_of_sound(density_nb, pressure_nb);
                compute_flux_contribution(density_nb, momentum_nb, density_energy_nb, pressure_nb, velocity_nb, &fx_nb, &fy_nb,
                                          &fz_nb, &fe_nb);

                factor = -normal_len * smoothing_coefficient * 0.5f *
                         (speed_i + sqrtf(speed_sqd_nb) + speed_of_sound_i + speed_of_sound_nb);
                flux_i_density += factor * (density_i - density_nb);
                flux_i_density_energy += factor * (density_energy_i - density_energy_nb);
                flux_i_momentum.x += factor * (momentum_i.x - momentum_nb.x);
                flux_i_momentum.y += factor * (momentum_i.y - momentum_nb.y);
                flux_i_momentum.z += factor * (momentum_i.z - momentum_nb.z);

                factor = 0.5f * normal.x;
                flux_i_density += factor * (momentum_nb.x + momentum_i.x);
                flux_i_density_energy += factor * (fe_nb.x + fe_i.x);
                flux_i_momentum.x += factor * (fx_nb.x + fx_i.x);
                flux_i_momentum.y += factor * (fy_nb.x + fy_i.x);
                flux_i_momentum.z += factor * (fz_nb.x + fz_i.x);
                factor = 0.5f * normal.y;
                flux_i_density += factor * (momentum_nb.y + momentum_i.y);
                flux_i_density_energy += factor * (fe_nb.y + fe_i.y);
                flux_i_momentum.x += factor * (fx_nb.y + fx_i.y);
                flux_i_momentum.y += factor * (fy_nb.y + fy_i.y);
                flux_i_momentum.z += factor * (fz_nb.y + fz_i.y);
                factor = 0.5f * normal.z;
                flux_i_density += factor * (momentum_nb.z + momentum_i.z);
                flux_i_density_energy += factor * (fe_nb.z + fe_i.z);
                flux_i_momentum.x += factor * (fx_nb.z + fx_i.z);
                flux_i_momentum.y += factor * (fy_nb.z + fy_i.z);
                flux_i_momentum.z += factor * (fz_nb.z + fz_i.z);
            } else if (nb == -1) {
                flux_i_momentum.x += normal.x * pressure_i;
                flux_i_momentum.y += normal.y * pressure_i;
                flux_i_momentum.z += normal.z * pressure_i;
            } else if (nb == -2) {
                float3_ ff_momentum, ff_velocity, fx, fy, fz, fe;
                float ff_density = ff_variable[VAR_DENSITY], ff_energy = ff_variable[VAR_DENSITY_ENERGY];
                ff_momentum.x = ff_variable[VAR_MOMENTUM + 0];
                ff_momentum.y = ff_variable[VAR_MOMENTUM + 1];
                ff_momentum.z = ff_variable[VAR_MOMENTUM + 2];
                compute_velocity(ff_density, ff_momentum, &ff_velocity);
                float ff_pressure = compute_pressure(ff_density, ff_energy, compute_speed_sqd(ff_velocity));
                compute_flux_contribution(ff_density, ff_momentum, ff_energy, ff_pressure, ff_velocity, &fx, &fy, &fz, &fe);
                factor = 0.5f * normal.x;
                flux_i_density += factor * (ff_variable[VAR_MOMENTUM + 0] + momentum_i.x);
                flux_i_density_energy += factor * (fe.x + fe_i.x);
                flux_i_momentum.x += factor * (fx.x + fx_i.x);
                flux_i_momentum.y += factor * (fy.x + fy_i.x);
                flux_i_momentum.z += factor * (fz.x + fz_i.x);
                factor = 0.5f * normal.y;
                flux_i_density += factor * (ff_variable[VAR_MOMENTUM + 1] + momentum_i.y);
                flux_i_density_energy += factor * (fe.y + fe_i.y);
                flux_i_momentum.x += factor * (fx.y + fx_i.y);
                flux_i_momentum.y += factor * (fy.y + fy_i.y);
                flux_i_momentum.z += factor * (fz.y + fz_i.y);
                factor = 0.5f * normal.z;
                flux_i_density += factor * (ff_variable[VAR_MOMENTUM + 2] + momentum_i.z);
                flux_i_density_energy += factor * (fe.z + fe_i.z);
                flux_i_momentum.x += factor * (fx.z + fx_i.z);
                flux_i_momentum.y += factor * (fy.z + fy_i.z);
                flux_i_momentum.z += factor * (fz.z + fz_i.z);
            }
        }
        fluxes[i + VAR_DENSITY * nelr] = flux_i_density;
        fluxes[i + (VAR_MOMENTUM + 0) * nelr] = flux_i_momentum.x;
        fluxes[i + (VAR_MOMENTUM + 1) * nelr] = flux_i_momentum.y;
        fluxes[i + (VAR_MOMENTUM + 2) * nelr] = flux_i_momentum.z;
        fluxes[i + VAR_DENSITY_ENERGY * nelr] = flux_i_density_energy;
    }
}

static void time_step(int j, int nelr, float *old_variables, float *variables, float *step_factors, float *fluxes)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < nelr; i++) {
        float factor = step_factors[i] / (float)(RK + 1 - j);
        for (int k = 0; k < NVAR; k++)
            variables[i + k * nelr] = old_variables[i + k * nelr] + factor * fluxes[i + k * nelr];
    }
}

void compute(void)
{
    for (int i = 0; i < iterations; i++) {
        copy(old_variables, variables, nel * NVAR);
        compute_step_factor(nel, variables, areas, step_factors);
        for (int j = 0; j < RK; j++) {
            compute_flux(nel, elements_surrounding_elements, normals, variables, fluxes);
            time_step(j, nel, old_variables, variables, step_factors, fluxes);
        }
    }
}
