/* Forces between particles in boxes in OpenACC: a gang for a box, a lane for a particle of it. */
#include "lavamd.h"

static void forces(int boxes, const int *restrict count, const int *restrict near, const four *restrict particle,
                   four *restrict force)
{
#pragma acc parallel loop gang present(count[:boxes], near[:boxes * NEAR]) \
    present(particle[:boxes * PARTICLES], force[:boxes * PARTICLES]) async(1)
#pragma omp parallel for
    for (int box = 0; box < boxes; box++) {
        int mine = box * PARTICLES;
#pragma acc loop vector
        for (int i = 0; i < PARTICLES; i++) {
            four a = particle[mine + i], sum = {0.0, 0.0, 0.0, 0.0};
            for (int k = 0; k < count[box]; k++) {
                int other = near[box * NEAR + k] * PARTICLES;
                for (int j = 0; j < PARTICLES; j++) {
                    four b = particle[other + j];
                    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
                    double strength = b.w * exp(-DECAY * (x * x + y * y + z * z));
                    sum.x += strength * x;
                    sum.y += strength * y;
                    sum.z += strength * z;
                    sum.w += strength;
                }
            }
            force[mine + i] = sum;
        }
    }
}

static void lavamd(space s, const four *restrict particle, four *restrict force, bench_timer *t)
{
    const int boxes = s.boxes, *count = s.count, *near = s.near;
#pragma acc data copyin(count[:boxes], near[:boxes * NEAR], particle[:boxes * PARTICLES]) \
    copyout(force[:boxes * PARTICLES])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            forces(boxes, count, near, particle, force);
#pragma acc wait
    }
}
