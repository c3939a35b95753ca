#include <stdio.h>
#pragma acc routine seq
static double half(double x) { return x * 0.5 + 1; }

/* Macros,	comments and   spacing of the host stay. */
#define SQUARE(x) ((x) * (x))
#define LENGTH 300

typedef struct { float x, y; int group; } Point;

static int histogram[4]; // written by the device

int main(void)
{
    static Point points[LENGTH];
    double sum = 0, expected = 0;
    float farthest = -1, wanted = -1;
    for (int i = 0; i < LENGTH; i++) { points[i].x = i; points[i].y = 2 - i; points[i].group = i * 7; }
    #pragma acc data copyin(points) copy(histogram)
    {
        #pragma acc parallel loop reduction(+:sum) reduction(max:farthest) if(LENGTH > 10)
        for (int i = 0; i < LENGTH; i++) {
            float d = SQUARE(points[i].x) + SQUARE(points[i].y);
            sum += half(d);
            farthest = d > farthest ? d : farthest;
        }
        #pragma acc parallel loop async(2)
        for (int i = 0; i < LENGTH; i++) {
            #pragma acc atomic update
            histogram[points[i].group & 3]++;
        }
        #pragma acc wait(2)
    }
    int wrong = 0;
    for (int i = 0; i < LENGTH; i++) {
        float d = SQUARE(points[i].x) + SQUARE(points[i].y);
        expected += half(d);
        wanted = d > wanted ? d : wanted;
    }
    for (int i = 0; i < 4; i++) wrong += histogram[i] != LENGTH / 4;
    wrong += sum < 0.999 * expected || sum > 1.001 * expected || farthest != wanted;
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
