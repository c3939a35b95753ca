/* HEARTWALL for a CPU: input, the points' memory, and the film, frame after frame. */
#define FRAME_MAIN
#include "heartwall.h"
#include "input.h"

static point *own;

static void points(void)
{
    int i, *row = bench_alloc(film.points, sizeof *row), *column = bench_alloc(film.points, sizeof *column);
    float *patterns = bench_alloc(film.points * SIDE * SIDE, sizeof *patterns);
    own = bench_alloc(film.points, sizeof *own);
    for (i = 0; i < film.points; i++) {
        own[i].number = i;
        own[i].first = i * SIDE * SIDE;
        own[i].row = row;
        own[i].column = column;
        own[i].rows = place_row;
        own[i].columns = place_column;
        own[i].patterns = patterns;
        own[i].area = bench_alloc(AREA * AREA, sizeof(float));
        own[i].match = bench_alloc(MOVES * MOVES, sizeof(float));
        own[i].sum = bench_alloc(EDGE * EDGE, sizeof(float));
        own[i].square = bench_alloc(EDGE * EDGE, sizeof(float));
    }
}

void compute(void)
{
    int i;
    if (own == NULL)
        points();
    for (i = 0; i < film.points; i++) {
        own[i].row[i] = start_row[i];
        own[i].column[i] = start_column[i];
    }
    for (film.frame_no = 0; film.frame_no < film.frames; film.frame_no++) {
        film.frame = get_frame(film.frame_no);
#pragma omp parallel for
        for (i = 0; i < film.points; i++)
            kernel(film, own[i]);
        free(film.frame);
    }
}
