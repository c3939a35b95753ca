/* Input and check of HEARTWALL. */
common film;
int *start_row, *start_column, *place_row, *place_column;
static unsigned char *pixels;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_heartwall", "", bench_arg(argc, argv, 3, 1), 1e-4};
    film.points = bench_arg(argc, argv, 1, 51);
    film.frames = bench_arg(argc, argv, 2, 10);
    film.rows = 220, film.columns = 250;
    film.side = SIDE, film.moves = MOVES, film.area = AREA, film.edge = EDGE;
    pixels = (unsigned char *)bench_alloc((size_t)film.frames * film.rows * film.columns, 1);
    start_row = (int *)bench_alloc(film.points, sizeof(int));
    start_column = (int *)bench_alloc(film.points, sizeof(int));
    place_row = (int *)bench_alloc(film.points * film.frames, sizeof(int));
    place_column = (int *)bench_alloc(film.points * film.frames, sizeof(int));
    snprintf(facts.size, sizeof facts.size, "%dx%d", film.points, film.frames);
    return facts;
}

/* A new picture in grey, made of the bytes of a film, as Rodinia reads it from a file. */
LINKAGE float *get_frame(int number)
{
    int size = film.rows * film.columns;
    float *frame = (float *)malloc(size * sizeof *frame);
    for (int i = 0; i < size; i++)
        frame[i] = pixels[(size_t)number * size + i] / 255.0f;
    return frame;
}

/* Tissue of spots about five pixels wide, which beats: it grows and shrinks around the middle, in twenty frames. The outer wall,
 * and inside of it every third point the inner one. */
LINKAGE void input(void)
{
    for (int frame = 0; frame < film.frames; frame++) {
        float scale = 1.0f + 0.08f * sinf(0.314159f * frame);
        for (int j = 0; j < film.columns; j++)
            for (int i = 0; i < film.rows; i++) {
                float y = (i - film.rows / 2) / (5.0f * scale) + 100, x = (j - film.columns / 2) / (5.0f * scale) + 100;
                int row = (int)y, column = (int)x, at = row * 256 + column;
                float down = y - row, right = x - column;
                float above = noise(at, 0) * (1 - right) + noise(at + 1, 0) * right;
                float below = noise(at + 256, 0) * (1 - right) + noise(at + 257, 0) * right;
                float value = 0.9f * (above * (1 - down) + below * down) + 0.1f * noise(i * 256 + j, frame + 1);
                pixels[((size_t)frame * film.columns + j) * film.rows + i] = (unsigned char)(255 * value);
            }
    }
    for (int p = 0; p < film.points; p++) {
        float angle = 6.2831853f * p / film.points, part = p % 3 == 2 ? 0.2f : 0.32f;
        start_row[p] = inside(film.rows / 2 + (int)(part * film.rows * sinf(angle)), film.rows);
        start_column[p] = inside(film.columns / 2 + (int)(part * film.columns * cosf(angle)), film.columns);
    }
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int i = 0; i < film.points * film.frames; i++)
        sum += place_row[i] + place_column[i];
    return sum;
}

/* How well a pattern matches the window that begins at a place: by its definition, in double. */
static double match(const float *pattern, const float *window)
{
    double product = 0, sum = 0, square = 0, mine = 0, mine_square = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double value = window[j * film.rows + i], wanted = pattern[j * SIDE + i];
            product += wanted * value;
            sum += value;
            square += value * value;
            mine += wanted;
            mine_square += wanted * wanted;
        }
    double spread = (square - sum * sum / (SIDE * SIDE)) * (mine_square - mine * mine / (SIDE * SIDE));
    return (product - mine * sum / (SIDE * SIDE)) / sqrt(fmax(spread, 1e-6));
}

/* How much better than the places that were found others match, which are as near to the place before: where two match alike, either is
 * right. Infinite where a place was not within reach. */
LINKAGE double check(void)
{
    double error = 0;
    float *patterns = (float *)bench_alloc(film.points * SIDE * SIDE, sizeof *patterns);
    for (int f = 0; f < film.frames; f++) {
        float *frame = get_frame(f);
        for (int p = 0; p < film.points; p++) {
            float *pattern = patterns + p * SIDE * SIDE;
            int at = p * film.frames + f, row = place_row[at], column = place_column[at];
            if (f == 0 && (row != start_row[p] || column != start_column[p]))
                error = INFINITY;
            if (f > 0) {
                int top = place_row[at - 1], left = place_column[at - 1];
                double most = -2, found = -INFINITY;
                for (int j = -REACH; j <= REACH; j++)
                    for (int i = -REACH; i <= REACH; i++) {
                        const float *window = frame + (left + j - RADIUS) * film.rows + top + i - RADIUS;
                        double here = match(pattern, window) * (1 - FAR_LESS * sqrt(i * i + j * j));
                        most = fmax(most, here);
                        if (inside(top + i, film.rows) == row && inside(left + j, film.columns) == column)
                            found = fmax(found, here);
                    }
                error = fmax(error, most - found);
            }
            if (f % REFRESH == 0)
                for (int j = 0; j < SIDE; j++)
                    for (int i = 0; i < SIDE; i++) {
                        float seen = frame[(column + j - RADIUS) * film.rows + row + i - RADIUS];
                        float *value = pattern + j * SIDE + i;
                        *value = f == 0 ? seen : KEPT * *value + (1 - KEPT) * seen;
                    }
        }
        free(frame);
    }
    free(patterns);
    return error;
}
