/* Tracking of points in OpenACC: a gang for a point, lanes for what is around it, sums and a largest value with its place in
 * each gang. */
#include "heartwall.h"

static void track(film m, int frame, const float *restrict picture, const float *restrict pattern, float *restrict sum,
                  float *restrict square, float *restrict score, int *restrict place, float *restrict best)
{
    const int first = frame * m.rows * m.columns;
#pragma acc parallel loop gang async(1) present(picture[:m.frames * m.rows * m.columns]) \
    present(pattern[:m.points * PATTERN], sum[:m.points * CORNERS], square[:m.points * CORNERS]) \
    present(score[:m.points * PLACES], place[:2 * m.points], best[:m.points])
#pragma omp parallel for
    for (int p = 0; p < m.points; p++) {
        const int corner = first + (place[2 * p] - RADIUS - REACH) * m.columns + place[2 * p + 1] - RADIUS - REACH;
#pragma acc loop vector
        for (int i = 0; i < AREA; i++) {
            int at = p * CORNERS + (i + 1) * EDGE;
            float total = 0.0f, squares = 0.0f;
            for (int j = 0; j < AREA; j++) {
                float value = picture[corner + i * m.columns + j];
                total += value;
                squares += value * value;
                sum[at + j + 1] = total;
                square[at + j + 1] = squares;
            }
        }
#pragma acc loop vector
        for (int j = 1; j < EDGE; j++)
            for (int i = 1; i < EDGE; i++) {
                int at = p * CORNERS + i * EDGE + j;
                sum[at] += sum[at - EDGE];
                square[at] += square[at - EDGE];
            }
        float total = 0.0f, squares = 0.0f;
#pragma acc loop vector reduction(+ : total, squares)
        for (int k = 0; k < PATTERN; k++) {
            float value = pattern[p * PATTERN + k];
            total += value;
            squares += value * value;
        }
        float mean = total / PATTERN, spread = squares - total * mean, most = -INFINITY;
#pragma acc loop vector reduction(max : most)
        for (int at = 0; at < PLACES; at++) {
            int row = at / MOVES, column = at % MOVES;
            float product = 0.0f;
            for (int i = 0; i < SIDE; i++)
                for (int j = 0; j < SIDE; j++)
                    product += pattern[p * PATTERN + i * SIDE + j] * picture[corner + (row + i) * m.columns + column + j];
            float found = score_of(product, mean, spread, window(sum, p * CORNERS, row, column),
                                   window(square, p * CORNERS, row, column), row, column);
            score[p * PLACES + at] = found;
            most = fmaxf(most, found);
        }
        int where = PLACES;
#pragma acc loop vector reduction(min : where)
        for (int at = 0; at < PLACES; at++)
            if (score[p * PLACES + at] == most)
                where = at < where ? at : where;
        best[p] = most;
        place[2 * p] = inside(place[2 * p] + where / MOVES - REACH, m.rows);
        place[2 * p + 1] = inside(place[2 * p + 1] + where % MOVES - REACH, m.columns);
    }
}

/* Patterns, of which a part stays. */
static void refresh(film m, int frame, float kept, const float *restrict picture, const int *restrict place,
                    float *restrict pattern)
{
    const int first = frame * m.rows * m.columns;
#pragma acc parallel loop collapse(2) async(1) present(picture[:m.frames * m.rows * m.columns]) \
    present(place[:2 * m.points], pattern[:m.points * PATTERN])
#pragma omp parallel for collapse(2)
    for (int p = 0; p < m.points; p++)
        for (int k = 0; k < PATTERN; k++) {
            int row = place[2 * p] + k / SIDE - RADIUS, column = place[2 * p + 1] + k % SIDE - RADIUS;
            float old = kept == 0.0f ? 0.0f : kept * pattern[p * PATTERN + k];
            pattern[p * PATTERN + k] = old + (1.0f - kept) * picture[first + row * m.columns + column];
        }
}

/* Places where the film begins, and nothing above and left of an area. */
static void begin(film m, const int *restrict start, int *restrict place, float *restrict sum, float *restrict square)
{
#pragma acc parallel loop gang async(1) present(start[:2 * m.points], place[:2 * m.points]) \
    present(sum[:m.points * CORNERS], square[:m.points * CORNERS])
#pragma omp parallel for
    for (int p = 0; p < m.points; p++) {
        place[2 * p] = start[2 * p];
        place[2 * p + 1] = start[2 * p + 1];
#pragma acc loop vector
        for (int i = 0; i < EDGE; i++) {
            sum[p * CORNERS + i] = sum[p * CORNERS + i * EDGE] = 0.0f;
            square[p * CORNERS + i] = square[p * CORNERS + i * EDGE] = 0.0f;
        }
    }
}

static void heartwall(film m, int *restrict place, float *restrict best, bench_timer *t)
{
    const float *picture = m.picture;
    const int *start = m.start;
    points all = points_of(m.points);
    float *pattern = all.pattern, *sum = all.sum, *square = all.square, *score = all.score;
#pragma acc data copyin(picture[:m.frames * m.rows * m.columns], start[:2 * m.points]) \
    copyout(place[:2 * m.points], best[:m.points]) \
    create(pattern[:m.points * PATTERN], sum[:m.points * CORNERS]) \
    create(square[:m.points * CORNERS], score[:m.points * PLACES])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            begin(m, start, place, sum, square);
            for (int frame = 0; frame < m.frames; frame++) {
                if (frame > 0)
                    track(m, frame, picture, pattern, sum, square, score, place, best);
                if (frame % REFRESH == 0)
                    refresh(m, frame, frame == 0 ? 0.0f : KEPT, picture, place, pattern);
            }
        }
#pragma acc wait
    }
    points_free(all);
}
