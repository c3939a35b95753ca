/* What the files of HEARTWALL share: points of the walls of a heart that are followed through a film (after Rodinia). Pictures lie
 * column after column. */
#include "../frame.h"

/* A pattern reaches RADIUS pixels from its point, and a point moves at most REACH pixels between two frames. */
enum { RADIUS = 12, REACH = 10, SIDE = 2 * RADIUS + 1, MOVES = 2 * REACH + 1, AREA = SIDE + 2 * REACH, EDGE = AREA + 1, REFRESH = 10 };

/* The part of a pattern that stays when it is refreshed, and how much less a place counts for each pixel away from the last one. */
#define KEPT 0.87f
#define FAR_LESS 0.004f

/* What all points share. */
typedef struct {
    int points, frames, frame_no, rows, columns;
    int side, moves, area, edge;
    float *frame;
} common;

/* What belongs to one point. The first six are arrays of all points, in which it has its part. */
typedef struct {
    int number, first;
    int *row, *column;
    int *rows, *columns;
    float *patterns;
    float *area, *match, *sum, *square;
} point;

/* Inside of the picture, with all that the next frame looks at. */
#ifdef __CUDACC__
__host__ __device__
#endif
static inline int inside(int at, int size)
{
    int least = RADIUS + REACH, most = size - 1 - RADIUS - REACH;
    return at < least ? least : at > most ? most : at;
}

#ifdef __cplusplus
extern "C" {
#endif
extern common film;
extern int *start_row, *start_column, *place_row, *place_column;
float *get_frame(int number);
void kernel(common all, point own);
#ifdef __cplusplus
}
#endif
