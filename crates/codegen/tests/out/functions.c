#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
