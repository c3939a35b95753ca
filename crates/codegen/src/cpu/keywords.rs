//! Names that mean something in C or in the headers that the text includes.

pub const KEYWORDS: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
    "_Bool", "_Complex", "_Imaginary", "_Alignas", "_Alignof", "_Atomic", "_Generic", "_Noreturn",
    "_Static_assert", "_Thread_local", "asm", "typeof", "bool", "true", "false", "int8_t", "int16_t", "int32_t",
    "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "size_t", "linux",
    "unix", "begin", "end", "total", "args",
    // of <math.h> and <stdlib.h>
    "abs", "labs", "llabs", "div", "ldiv", "rand", "srand", "malloc", "calloc", "realloc", "free", "abort",
    "exit", "atof", "atoi", "atol", "qsort", "bsearch", "random", "select", "isnan", "isinf", "isfinite",
    "signbit", "isnormal", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logb",
    "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "erf", "erfc", "tgamma", "lgamma", "gamma", "floor", "ceil", "trunc", "round", "rint",
    "nearbyint", "fabs", "fmod", "remainder", "fmin", "fmax", "fdim", "fma", "hypot", "copysign", "ldexp",
    "frexp", "modf", "lround", "lrint", "llround", "llrint", "j0", "j1", "jn", "y0", "y1", "yn", "nan",
    "scalb", "drem", "significand", "signgam", "INFINITY", "NAN", "HUGE_VAL", "M_PI", "M_E",
];
