/* Input, check and report; lavamd.c and lavamd.cu supply the computation. */
#include "../common/bench.h"

/* Particles of a box, and boxes around it that it feels, itself among them. */
enum { PARTICLES = 64, NEAR = 27 };

/* A position and a charge; a force and a potential. */
typedef struct {
    double x, y, z, w;
} four;

/* side^3 boxes of PARTICLES particles. Box b's neighbours are near[b * NEAR] .. near[b * NEAR + count[b] - 1]. */
typedef struct {
    int boxes;
    const int *count, *near;
} space;

#define DECAY 0.5

/* The force on each particle from those of its own box and of the boxes around, t->reps times a round. */
static void lavamd(space s, const four *particle, four *force, bench_timer *t);

static four serial_force(space s, const four *particle, int box, int i)
{
    four a = particle[box * PARTICLES + i], sum = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < s.count[box]; k++)
        for (int j = 0; j < PARTICLES; j++) {
            four b = particle[s.near[box * NEAR + k] * PARTICLES + j];
            double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
            double strength = b.w * exp(-DECAY * (x * x + y * y + z * z));
            sum.x += strength * x;
            sum.y += strength * y;
            sum.z += strength * z;
            sum.w += strength;
        }
    return sum;
}

int main(int argc, char **argv)
{
    int side = bench_arg(argc, argv, 1, 4);
    int reps = bench_arg(argc, argv, 2, 1);
    int boxes = side * side * side, particles = boxes * PARTICLES;
    int *count = (int *)bench_alloc(boxes, sizeof *count);
    int *near = (int *)bench_alloc((size_t)boxes * NEAR, sizeof *near);
    four *particle = (four *)bench_alloc(particles, sizeof *particle);
    four *force = (four *)bench_alloc(particles, sizeof *force);
    uint64_t seed = 1;
    for (int b = 0; b < boxes; b++) {
        int z = b / (side * side), y = b / side % side, x = b % side;
        for (int n = 0; n < NEAR; n++) {
            int nz = z + n / 9 - 1, ny = y + n / 3 % 3 - 1, nx = x + n % 3 - 1;
            if (nz >= 0 && nz < side && ny >= 0 && ny < side && nx >= 0 && nx < side)
                near[b * NEAR + count[b]++] = (nz * side + ny) * side + nx;
        }
        for (int i = 0; i < PARTICLES; i++) {
            four at = {x + bench_uniform(&seed, 0.0, 1.0), y + bench_uniform(&seed, 0.0, 1.0),
                       z + bench_uniform(&seed, 0.0, 1.0), bench_uniform(&seed, 0.1, 1.0)};
            particle[b * PARTICLES + i] = at;
        }
    }
    space s = {boxes, count, near};

    bench_timer kernel = bench_timer_many(reps);
    lavamd(s, particle, force, &kernel);
    memset(force, 0, particles * sizeof *force);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    lavamd(s, particle, force, &once);
    double app_ms = bench_now_ms() - start;

    /* All particles of few, about 4000 of many. */
    int stride = particles <= 8192 ? 1 : particles / 4001;
    double error = 0.0;
    int compared = 0;
    for (int p = 0; p < particles; p += stride, compared++) {
        four want = serial_force(s, particle, p / PARTICLES, p % PARTICLES);
        error = bench_worst(error, force[p].x, want.x, want.w);
        error = bench_worst(error, force[p].y, want.y, want.w);
        error = bench_worst(error, force[p].z, want.z, want.w);
        error = bench_worst(error, force[p].w, want.w, want.w);
    }
    printf("compared %d of %d particles with the serial result\n", compared, particles);

    char size[32];
    snprintf(size, sizeof size, "%d", particles);
    int status = bench_report("lavamd", size, &kernel, app_ms, error, 1e-11);
    free(count);
    free(near);
    free(particle);
    free(force);
    return status;
}
