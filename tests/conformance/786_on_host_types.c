// Types and statements that devices do not have: long double, inline assembly, a goto into a block, printing into memory.
// Functions of the C library devices have.
// needs: separate
// expect: launches=1
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

int main(void)
{
    long double precise = 1, terms[20];
    char text[32] = "device";
    int number = 0, steps = 0, copy = 0;
    for (int i = 0; i < 20; i++)
        terms[i] = 1.0L / (i + 1);
#pragma acc parallel loop reduction(+: precise) copyin(terms)
    for (int i = 0; i < 20; i++)
        precise += terms[i] / 3.0L;
    long double expected = 1;
    for (int i = 0; i < 20; i++)
        expected += terms[i] / 3.0L;
    check_true("precise", precise == expected);
#pragma acc data copy(text)
    {
        strcpy(text, "host");
#pragma acc serial
        for (char *c = text; *c; c++)
            *c = (char)toupper(*c);
        check_true("host's", strcmp(text, "host") == 0);
    }
    check_true("upper", strcmp(text, "DEVICE") == 0);
#pragma acc serial copy(number, steps)
    {
        number = 27;
        if (number != 1) {
again:
            number = number % 2 ? 3 * number + 1 : number / 2;
            steps++;
        }
        if (number != 1)
            goto again;
    }
    check_int("steps", 0, steps, 111);
#pragma acc serial copyout(copy)
    {
        int value = 12;
        __asm__ volatile("" : "+r"(value));
        copy = value;
        snprintf(text, sizeof text, "%*d", 5, copy);
    }
    check_int("copy", 0, copy, 12);
    check_true("printed", strcmp(text, "   12") == 0);
    return finish();
}
