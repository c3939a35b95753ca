#include "weak.h"

__attribute__((weak)) int chosen(int x)
{
    return x;
}
