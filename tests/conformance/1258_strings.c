// strlen, strcmp and strncmp in device code.
// expect: launches=1
#include "check.h"
#include <string.h>

#define WORDS 8

int main(void)
{
    char words[WORDS][12] = {"stencil", "reduce", "scan", "", "scatter", "gather", "scan", "\xe9t\xe9"};
    int length[WORDS], order[WORDS][WORDS], prefix[WORDS], is_scan[WORDS];
#pragma acc parallel loop copyin(words) copyout(length, order, prefix, is_scan)
    for (int i = 0; i < WORDS; i++) {
        length[i] = (int)strlen(words[i]) + (int)(strlen("four") - 4);
        for (int j = 0; j < WORDS; j++) {
            int c = strcmp(words[i], words[j]);
            order[i][j] = (c > 0) - (c < 0);
        }
        prefix[i] = strncmp(words[i], "scatter", 3) == 0;
        is_scan[i] = !strcmp(words[i], "scan");
    }
    for (int i = 0; i < WORDS; i++) {
        check_int("length", i, length[i], (int)strlen(words[i]));
        for (int j = 0; j < WORDS; j++) {
            int c = strcmp(words[i], words[j]);
            check_int("order", i * WORDS + j, order[i][j], (c > 0) - (c < 0));
        }
        check_int("prefix", i, prefix[i], strncmp(words[i], "scatter", 3) == 0);
        check_int("equal", i, is_scan[i], strcmp(words[i], "scan") == 0);
    }
    return finish();
}
