// The same functions with the names that C++ has for them.
// expect: launches=1 uploads<=2 downloads<=1
#include "../check.h"
#include <cctype>
#include <cstdlib>
#include <cstring>

namespace own {
int isdigit(int c) { return c == 'x'; }
}

static int count(const char *text, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += (std::isalpha(text[i]) ? 1 : 0) + (::isdigit((unsigned char)text[i]) ? 100 : 0) + std::toupper(text[i]);
    const char *found = std::strchr(text, ';');
    sum += own::isdigit('x') + std::abs(n) + (found ? int(found - text) : 1000);
    return sum * 3 + (std::memcmp(text, "ab", 2) == 0);
}

int main()
{
    const char *lines[4] = {"abc 12;", "xyz", "9;;", "ab"};
    char text[4][16] = {};
    int sums[4];
    for (int k = 0; k < 4; k++)
        std::strcpy(text[k], lines[k]);
#pragma omp target teams distribute parallel for map(to : text) map(from : sums)
    for (int k = 0; k < 4; k++)
        sums[k] = count(text[k], std::strlen(text[k]));
    for (int k = 0; k < 4; k++)
        check_int("sums", k, sums[k], count(text[k], std::strlen(text[k])));
    return finish();
}
