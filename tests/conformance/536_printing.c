// printf, puts and putchar in regions: what they print stands between what the host prints before and behind the construct,
// on every device, and in the order of the iterations where these run one after the other. The program reads its own output.
// expect: launches=4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"

static const char *const wanted =
    "host 1\n"
    "8% 001.50 2.25  |200 x 1099511627776 ffffffffffffffff 77 -3\n"
    "[a%b] [   cde] [fg    ]\n"
    "100%\n"
    "!\n"
    "host 2\n"
    "0: 0\n1: 1\n2: 4\n3: 9\n4: 16\n5: 25\n"
    "host 3\n"
    "square 49\n"
    "host 4\n";

#pragma acc routine seq
static int shown(int i)
{
    printf("square %d\n", i * i);
    return i * i;
}

int main(void)
{
    int n = 8, squares[6], one = 0;
    float x = 1.5f;
    double y = 2.25;
    unsigned char c = 200;
    long l = 1L << 40;
    unsigned long long most = ~0ull;
    size_t size = 77;
    FILE *kept = tmpfile();
    int screen = dup(1);
    fflush(stdout);
    dup2(fileno(kept), 1);

    printf("host 1\n");
#pragma acc serial
    {
        printf("%d%% %06.2f %-6g|%hhu %c %ld %llx %zu %hd\n", n, x, y, c, 'x', l, most, size, (short)-3);
        printf("[%s] [%6s] [%-6.2s]\n", "a%b", "cde", "fgh");
        puts("100%");
        putchar('!');
        putchar('\n');
    }
    printf("host 2\n");
    for (int i = 0; i < 6; i++)
        squares[i] = i * i;
#pragma acc kernels copyin(squares)
    for (int i = 0; i < 6; i++)
        printf("%d: %d\n", i, squares[i]);
    printf("host 3\n");
#pragma acc parallel num_gangs(1) copy(one)
    one = shown(7);
    printf("host 4\n");
#pragma acc parallel loop copyin(squares)
    for (int i = 0; i < 6; i++)
        if (squares[i] < 0)
            printf("negative: %d\n", squares[i]);

    fflush(stdout);
    dup2(screen, 1);
    char found[1000];
    rewind(kept);
    found[fread(found, 1, sizeof found - 1, kept)] = 0;
    if (strcmp(found, wanted) != 0)
        printf("printed:\n%s", found);
    check_true("the output is the one wanted", strcmp(found, wanted) == 0);
    check_int("one", 0, one, 49);
    return finish();
}
