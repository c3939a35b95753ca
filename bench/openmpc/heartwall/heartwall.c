/* HEARTWALL for a CPU: what is done for a point in a frame, as Rodinia has it: two structures by value, memory behind the pointers of
 * the second, and one loop behind the other. */
#include "heartwall.h"

void kernel(common all, point own)
{
    float *pattern = &own.patterns[own.first];
    int row, column, i, j, at;

    if (all.frame_no != 0) {
        int top = own.row[own.number] - RADIUS - REACH, left = own.column[own.number] - RADIUS - REACH;

        /* The area in which the point may be. */
        for (column = 0; column < all.area; column++) {
            for (row = 0; row < all.area; row++) {
                own.area[column * all.area + row] = all.frame[(left + column) * all.rows + top + row];
            }
        }

        /* The pattern at each place. */
        for (column = 0; column < all.moves; column++) {
            for (row = 0; row < all.moves; row++) {
                float s = 0;
                for (j = 0; j < all.side; j++) {
                    for (i = 0; i < all.side; i++) {
                        s = s + pattern[j * all.side + i] * own.area[(column + j) * all.area + row + i];
                    }
                }
                own.match[column * all.moves + row] = s;
            }
        }

        /* Sums of what lies above and left of each corner. */
        for (i = 0; i < all.edge; i++) {
            own.sum[i] = 0;
            own.square[i] = 0;
        }
        for (column = 1; column < all.edge; column++) {
            float sum = 0, square = 0;
            own.sum[column * all.edge] = 0;
            own.square[column * all.edge] = 0;
            for (row = 1; row < all.edge; row++) {
                float value = own.area[(column - 1) * all.area + row - 1];
                sum += value;
                square += value * value;
                own.sum[column * all.edge + row] = sum;
                own.square[column * all.edge + row] = square;
            }
        }
        for (row = 1; row < all.edge; row++) {
            for (column = 1; column < all.edge; column++) {
                at = column * all.edge + row;
                own.sum[at] = own.sum[at] + own.sum[at - all.edge];
                own.square[at] = own.square[at] + own.square[at - all.edge];
            }
        }

        /* The pattern's own mean and spread. */
        int elements = all.side * all.side;
        float total = 0, squares = 0;
        for (i = 0; i < elements; i++) {
            total = total + pattern[i];
            squares = squares + pattern[i] * pattern[i];
        }
        float mean = total / elements, spread = squares - total * mean;

        /* How well each place matches, less for those far away. */
        for (column = 0; column < all.moves; column++) {
            for (row = 0; row < all.moves; row++) {
                int first = column * all.edge + row, behind = first + all.side * all.edge;
                float sum = own.sum[behind + all.side] - own.sum[first + all.side] - own.sum[behind] + own.sum[first];
                float square = own.square[behind + all.side] - own.square[first + all.side] - own.square[behind] + own.square[first];
                float windows = (square - sum * sum / elements) * spread;
                float down = row - REACH, right = column - REACH;
                float away = 1 - FAR_LESS * sqrt(down * down + right * right);
                if (windows < 1e-6f)
                    windows = 1e-6f;
                at = column * all.moves + row;
                own.match[at] = (own.match[at] - mean * sum) / sqrt(windows) * away;
            }
        }

        /* The best place. */
        float most = -2;
        int where = 0;
        for (i = 0; i < all.moves * all.moves; i++) {
            if (own.match[i] > most) {
                most = own.match[i];
                where = i;
            }
        }
        own.row[own.number] = inside(own.row[own.number] + where % all.moves - REACH, all.rows);
        own.column[own.number] = inside(own.column[own.number] + where / all.moves - REACH, all.columns);
    }
    own.rows[own.number * all.frames + all.frame_no] = own.row[own.number];
    own.columns[own.number * all.frames + all.frame_no] = own.column[own.number];

    /* The pattern is the first frame's, and is refreshed now and then. */
    if (all.frame_no % REFRESH == 0) {
        int top = own.row[own.number] - RADIUS, left = own.column[own.number] - RADIUS;
        for (column = 0; column < all.side; column++) {
            for (row = 0; row < all.side; row++) {
                float seen = all.frame[(left + column) * all.rows + top + row];
                at = column * all.side + row;
                pattern[at] = all.frame_no == 0 ? seen : KEPT * pattern[at] + (1 - KEPT) * seen;
            }
        }
    }
}
