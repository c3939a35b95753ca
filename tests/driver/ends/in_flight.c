/* Ends while the device may still be compiling, or running, what nobody waits for. */
#include <stdlib.h>
#include <unistd.h>

static float a[100000];

static void nothing(void)
{
}

int main(int argc, char **argv)
{
    int how = argc > 1 ? atoi(argv[1]) : 0;
    atexit(nothing);
#pragma acc enter data create(a)
#pragma acc parallel loop present(a)
    for (int i = 0; i < 100000; i++)
        a[i] = i;
    for (int step = 0; step < 20; step++) {
#pragma acc parallel loop present(a) async(step % 3)
        for (int i = 0; i < 100000; i++)
            a[i] += 1;
    }
    switch (how) {
    case 1: exit(0);
    case 2: _exit(0);
    case 3: quick_exit(0);
    case 4: abort();
    default: return 0;
    }
}
