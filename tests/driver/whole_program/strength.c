#include "field.h"

double strength[3] = {1, 2, 4};
