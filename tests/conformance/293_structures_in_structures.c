// Structures, unions and enumerations that have names and are declared inside others; in C their names belong to the scope around.
// A private structure that a construct does not use.
// expect: launches=4
#include "check.h"

enum Mode { OFF, ON };

typedef struct {
    struct Part {
        int count;
        struct {
            int depth;
            enum Kind { PLAIN, ROUND } kind;
        } inner;
    } part;
    int step;
    float weights[5];
    enum Mode mode;
    void *next;
    union Word {
        int bits;
        float number;
    } word;
} Whole;

static struct Part counted(struct Part part)
{
    part.count++;
    return part;
}

int main(void)
{
    Whole whole = {.part = {3, {1, ROUND}}, .step = 1, .weights = {1, 2, 3, 4, 5}, .mode = ON};
    int got[20];
    struct Part parts[20];

#pragma acc parallel loop private(whole) copyout(got)
    for (int i = 0; i < 20; i++) {
        whole.step = i;
        whole.part.count = 2 * i;
        whole.part.inner.depth = 3;
        got[i] = whole.step + whole.part.count + whole.part.inner.depth;
    }
    for (int i = 0; i < 20; i++)
        check_int("private", i, got[i], 3 * i + 3);

#pragma acc parallel loop copyin(whole) copy(got) copyout(parts)
    for (int i = 0; i < 20; i++) {
        struct Part part = whole.part;
        union Word word;
        enum Kind kind = part.inner.kind;
        part.count += i;
        word.number = 1;
        got[i] += part.count + (int)whole.weights[2] + (kind == ROUND) + (word.bits == 0x3f800000) + (whole.mode == ON);
        parts[i] = counted(part);
    }
    for (int i = 0; i < 20; i++) {
        check_int("copied", i, got[i], 4 * i + 12);
        check_int("parts", i, parts[i].count, i + 4);
    }

    Whole many[10] = {0};
#pragma acc parallel loop copy(many[0:10])
    for (int i = 0; i < 10; i++)
        many[i].part.inner.depth = i;
    check_int("many", 9, many[9].part.inner.depth, 9);

#pragma acc parallel private(whole)
    {
    }
    return finish();
}
