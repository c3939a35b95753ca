/* Input, check and report; heartwall.c and heartwall.cu supply the computation. */
#include "../common/bench.h"

/* A pattern reaches RADIUS pixels from its point, and a point moves at most REACH pixels between two frames. */
enum {
    RADIUS = 12,
    REACH = 10,
    SIDE = 2 * RADIUS + 1,
    PATTERN = SIDE * SIDE,
    MOVES = 2 * REACH + 1,
    PLACES = MOVES * MOVES,
    AREA = SIDE + 2 * REACH,
    EDGE = AREA + 1,
    CORNERS = EDGE * EDGE,
    REFRESH = 5
};

/* Part of a pattern that stays when it is refreshed, and how much less a place counts for each pixel away from the last one. */
#define KEPT 0.87f
#define FAR_LESS 0.004f

/* What does not change: `frames` pictures of rows by columns pixels, one behind the other, and where each point begins, its row
 * and its column. */
typedef struct {
    int points, frames, rows, columns;
    const float *picture;
    const int *start;
} film;

/* Follows points of the walls of a heart through the film. Each frame, around each point: sums of all windows by way of sums of
 * all corners, the correlation of the point's pattern with each window, the place of the largest. The pattern is the first
 * frame's, and is refreshed every REFRESH frames. Left are the last rows and columns of the points and their last correlations.
 * One repetition is the whole film. */
static void heartwall(film m, int *place, float *best, bench_timer *t);

/* What is worked on, for each point: its pattern, the sums of pixels and squares above and left of each corner of its
 * area, the score of each place. */
typedef struct {
    float *pattern, *sum, *square, *score;
} points;

static points points_of(int count)
{
    points all;
    all.pattern = (float *)bench_alloc((size_t)count * PATTERN, sizeof(float));
    all.sum = (float *)bench_alloc((size_t)count * CORNERS, sizeof(float));
    all.square = (float *)bench_alloc((size_t)count * CORNERS, sizeof(float));
    all.score = (float *)bench_alloc((size_t)count * PLACES, sizeof(float));
    return all;
}

static void points_free(points all)
{
    free(all.pattern);
    free(all.sum);
    free(all.square);
    free(all.score);
}

#ifdef __CUDACC__
#define BOTH __host__ __device__ static inline
#else
#define BOTH static inline
#endif

/* The sum of the window at a place. */
BOTH float window(const float *corner, int first, int row, int column)
{
    int above = first + row * EDGE + column, below = above + SIDE * EDGE;
    return corner[below + SIDE] - corner[above + SIDE] - corner[below] + corner[above];
}

/* How well a pattern matches a window, from 1 downwards, and a little less for a place far from the last one. */
BOTH float score_of(float product, float mean, float spread, float sum, float square, int row, int column)
{
    float windows = square - sum * sum / PATTERN;
    float away = sqrtf((float)((row - REACH) * (row - REACH) + (column - REACH) * (column - REACH)));
    return (product - mean * sum) / sqrtf(fmaxf(spread * windows, 1e-6f)) * (1.0f - FAR_LESS * away);
}

/* Inside of the picture, with all that the next frame looks at. */
BOTH int inside(int at, int size)
{
    int least = RADIUS + REACH, most = size - 1 - RADIUS - REACH;
    return at < least ? least : at > most ? most : at;
}

static void serial_point(film m, points all, int p, const float *picture, int *place, float *best)
{
    const float *pattern = all.pattern + (size_t)p * PATTERN;
    const int top = place[0] - RADIUS - REACH, left = place[1] - RADIUS - REACH;
    for (int i = 0; i < AREA; i++)
        for (int j = 0; j < AREA; j++) {
            float value = picture[(top + i) * m.columns + left + j];
            int at = p * CORNERS + (i + 1) * EDGE + j + 1;
            all.sum[at] = all.sum[at - 1] + value;
            all.square[at] = all.square[at - 1] + value * value;
        }
    for (int i = 1; i < EDGE; i++)
        for (int j = 1; j < EDGE; j++) {
            int at = p * CORNERS + i * EDGE + j;
            all.sum[at] += all.sum[at - EDGE];
            all.square[at] += all.square[at - EDGE];
        }
    float total = 0.0f, squares = 0.0f;
    for (int k = 0; k < PATTERN; k++) {
        total += pattern[k];
        squares += pattern[k] * pattern[k];
    }
    float mean = total / PATTERN, spread = squares - total * mean;
    int where = 0;
    *best = -INFINITY;
    for (int at = 0; at < PLACES; at++) {
        int row = at / MOVES, column = at % MOVES;
        float product = 0.0f;
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                product += pattern[i * SIDE + j] * picture[(top + row + i) * m.columns + left + column + j];
        float score = score_of(product, mean, spread, window(all.sum, p * CORNERS, row, column),
                               window(all.square, p * CORNERS, row, column), row, column);
        if (score > *best) {
            *best = score;
            where = at;
        }
    }
    place[0] = inside(place[0] + where / MOVES - REACH, m.rows);
    place[1] = inside(place[1] + where % MOVES - REACH, m.columns);
}

static void serial(film m, int *place, float *best)
{
    points all = points_of(m.points);
    memcpy(place, m.start, 2 * m.points * sizeof *place);
    for (int frame = 0; frame < m.frames; frame++) {
        const float *picture = m.picture + (size_t)frame * m.rows * m.columns;
        for (int p = 0; p < m.points && frame > 0; p++)
            serial_point(m, all, p, picture, place + 2 * p, best + p);
        for (int p = 0; p < m.points && frame % REFRESH == 0; p++)
            for (int k = 0; k < PATTERN; k++) {
                int row = place[2 * p] + k / SIDE - RADIUS, column = place[2 * p + 1] + k % SIDE - RADIUS;
                float kept = frame == 0 ? 0.0f : KEPT, value = picture[row * m.columns + column];
                all.pattern[p * PATTERN + k] = kept * all.pattern[p * PATTERN + k] + (1.0f - kept) * value;
            }
    }
    points_free(all);
}

/* A value in 0 .. 1 for a place and a frame. */
static float noise(int row, int column, int frame)
{
    uint64_t state = (uint64_t)(row + 4096) << 40 ^ (uint64_t)(column + 4096) << 20 ^ (uint64_t)frame;
    return (float)bench_uniform(&state, 0.0, 1.0);
}

/* Tissue of spots about five pixels wide, which beats: it grows and shrinks around the middle, in twenty frames. */
static void generate(film m, float *picture, int *start)
{
    for (int frame = 0; frame < m.frames; frame++) {
        float scale = 1.0f + 0.08f * sinf(0.314159f * frame);
        for (int i = 0; i < m.rows; i++)
            for (int j = 0; j < m.columns; j++) {
                float y = (i - m.rows / 2) / (5.0f * scale), x = (j - m.columns / 2) / (5.0f * scale);
                int row = (int)floorf(y), column = (int)floorf(x);
                float down = y - row, right = x - column;
                float above = noise(row, column, 0) * (1 - right) + noise(row, column + 1, 0) * right;
                float below = noise(row + 1, column, 0) * (1 - right) + noise(row + 1, column + 1, 0) * right;
                picture[((size_t)frame * m.rows + i) * m.columns + j] =
                    0.9f * (above * (1 - down) + below * down) + 0.1f * noise(i, j, frame + 1);
            }
    }
    /* The outer wall, and inside of it every third point the inner one. */
    for (int p = 0; p < m.points; p++) {
        float angle = 6.2831853f * p / m.points, part = p % 3 == 2 ? 0.2f : 0.32f;
        start[2 * p] = inside(m.rows / 2 + (int)(part * m.rows * sinf(angle)), m.rows);
        start[2 * p + 1] = inside(m.columns / 2 + (int)(part * m.columns * cosf(angle)), m.columns);
    }
}

int main(int argc, char **argv)
{
    int count = bench_arg(argc, argv, 1, 51);
    int frames = bench_arg(argc, argv, 2, 10);
    int reps = bench_arg(argc, argv, 3, 1);
    const int rows = 220, columns = 250;
    float *picture = (float *)bench_alloc((size_t)frames * rows * columns, sizeof *picture);
    int *start = (int *)bench_alloc(2 * count, sizeof *start);
    int *place = (int *)bench_alloc(4 * count, sizeof *place), *expected = place + 2 * count;
    float *best = (float *)bench_alloc(2 * count, sizeof *best), *wanted = best + count;
    film m = {count, frames, rows, columns, picture, start};
    generate(m, picture, start);

    bench_timer kernel = bench_timer_many(reps);
    heartwall(m, place, best, &kernel);
    memset(place, 0, 2 * count * sizeof *place);
    memset(best, 0, count * sizeof *best);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    heartwall(m, place, best, &once);
    double app_ms = bench_now_ms() - begin;

    serial(m, expected, wanted);
    double error = 0.0;
    int moved = 0;
    for (int p = 0; p < count; p++) {
        for (int axis = 0; axis < 2; axis++) {
            error = bench_worst(error, place[2 * p + axis], expected[2 * p + axis], 1.0);
            moved += place[2 * p + axis] != start[2 * p + axis];
        }
        error = bench_worst(error, best[p], wanted[p], 1.0);
    }
    printf("%d of %d coordinates are not where they began\n", moved, 2 * count);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", count, frames);
    int status = bench_report("heartwall", size, &kernel, app_ms, error, 1e-3);
    free(picture);
    free(start);
    free(place);
    free(best);
    return status;
}
