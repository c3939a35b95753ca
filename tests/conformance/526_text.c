// Text in char arrays: a small state machine over strings, switch in a loop, character tests.
// expect: launches=1 uploads=1 downloads=1
#include <string.h>
#include "check.h"

#define LINES 40
#define WIDTH 48

static char text[LINES][WIDTH];

static int words_of(const char *s)
{
    int words = 0;
    for (int i = 0; s[i]; i++)
        if (s[i] != ' ' && (i == 0 || s[i - 1] == ' '))
            words++;
    return words;
}

int main(void)
{
    int words[LINES];
    for (int i = 0; i < LINES; i++) {
        memset(text[i], 0, WIDTH);
        for (int j = 0; j < (i * 5) % (WIDTH - 1); j++)
            text[i][j] = (i * j + j) % 4 == 0 ? ' ' : 'a' + (i + j) % 26;
    }
#pragma acc parallel loop copyin(text) copyout(words)
    for (int i = 0; i < LINES; i++) {
        enum { BETWEEN, INSIDE } state = BETWEEN;
        int count = 0;
        for (int j = 0; j < WIDTH && text[i][j] != '\0'; j++) {
            const char c = text[i][j];
            switch (state) {
            case BETWEEN:
                if (c >= 'a' && c <= 'z') {
                    count++;
                    state = INSIDE;
                }
                break;
            case INSIDE:
                if (c == ' ')
                    state = BETWEEN;
                break;
            }
        }
        words[i] = count;
    }
    for (int i = 0; i < LINES; i++)
        check_int("words", i, words[i], words_of(text[i]));
    return finish();
}
