// 64 queues and 3,000 operations that depend on each other as chance will have it, against a serial model (2.16).
// needs: runtime
#include "check.h"
#include <openacc.h>
#include <string.h>

enum { QUEUES = 64, ARRAYS = 24, LENGTH = 257, OPERATIONS = 3000 };

static unsigned long state = 20260401;

static int dice(int sides)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((state >> 33) % (unsigned long)sides);
}

static int data[ARRAYS][LENGTH], model[ARRAYS][LENGTH];
/* The queue of the last operation on each array; on how many the next one waits is left to chance. */
static int last[ARRAYS];

static void combine(int *to, const int *from, int queue, int first, int second, int factor)
{
#pragma acc parallel loop present(to[0:LENGTH], from[0:LENGTH]) async(queue) wait(first, second)
    for (int i = 0; i < LENGTH; i++)
        to[i] = to[i] * factor + from[LENGTH - 1 - i];
}

int main(void)
{
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < LENGTH; i++)
            data[k][i] = model[k][i] = k * 1000 + i;
#pragma acc data copy(data)
    {
        for (int step = 0; step < OPERATIONS; step++) {
            int to = dice(ARRAYS), from = (to + 1 + dice(ARRAYS - 1)) % ARRAYS, queue = dice(QUEUES);
            int factor = 1 + dice(7);
            switch (dice(8)) {
            case 0:; /* A queue waits by directive. */
#pragma acc wait(last[to], last[from]) async(queue)
                combine(data[to], data[from], queue, queue, queue, factor);
                break;
            case 1:; /* The host looks at one array, in the middle. */
#pragma acc update self(data[to:1][0:LENGTH]) async(last[to])
                acc_wait(last[to]);
                for (int i = 0; i < LENGTH; i += 32)
                    check_int("seen", to * 1000 + i, data[to][i], model[to][i]);
                continue;
            case 2: { /* The host waits for whichever is done, which changes nothing. */
                int both[2] = {last[to], last[from]};
                acc_wait_any(2, both);
                combine(data[to], data[from], queue, last[to], last[from], factor);
                break;
            }
            case 3:; /* Without a queue: after all that it needs. */
#pragma acc wait(last[to], last[from])
                combine(data[to], data[from], acc_async_sync, queue, queue, factor);
                queue = dice(QUEUES);
                break;
            default:
                combine(data[to], data[from], queue, last[to], last[from], factor);
            }
            last[to] = last[from] = queue;
            int before[LENGTH];
            memcpy(before, model[from], sizeof before);
            for (int i = 0; i < LENGTH; i++)
                model[to][i] = model[to][i] * factor + before[LENGTH - 1 - i];
        }
#pragma acc wait
    }
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < LENGTH; i++)
            check_int("data", k * 1000 + i, data[k][i], model[k][i]);
    return finish();
}
