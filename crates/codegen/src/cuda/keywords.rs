//! Names that mean something in CUDA C++ without any include.

pub const KEYWORDS: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
    "char", "char16_t", "char32_t", "char8_t", "class", "compl", "concept", "const", "const_cast", "consteval",
    "constexpr", "constinit", "continue", "co_await", "co_return", "co_yield", "decltype", "default", "delete",
    "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
    "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
    "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
    "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
    // launch built-ins
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize",
    // types
    "char1", "char2", "char3", "char4", "uchar1", "uchar2", "uchar3", "uchar4", "short1", "short2", "short3",
    "short4", "ushort1", "ushort2", "ushort3", "ushort4", "int1", "int2", "int3", "int4", "uint1", "uint2",
    "uint3", "uint4", "long1", "long2", "long3", "long4", "ulong1", "ulong2", "ulong3", "ulong4", "float1",
    "float2", "float3", "float4", "double1", "double2", "double3", "double4", "longlong1", "longlong2",
    "longlong4", "ulonglong1", "ulonglong2", "ulonglong4", "dim3", "size_t", "ptrdiff_t", "clock_t",
    // functions that the text calls
    "abs", "labs", "llabs", "min", "max", "isnan", "isinf", "isfinite", "signbit", "atomicAdd", "atomicSub",
    "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicExch", "atomicCAS", "atomicInc",
    "sqrt", "rsqrt", "cbrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "sin",
    "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf",
    "erfc", "tgamma", "lgamma", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "fabs", "fmod",
    "remainder", "fmin", "fmax", "fdim", "fma", "hypot", "copysign", "ldexp", "lround", "lrint", "sqrtf",
    "expf", "logf", "powf", "sinf", "cosf", "tanf", "fabsf", "fminf", "fmaxf", "floorf", "ceilf", "fmodf",
    "INFINITY", "NAN", "linux", "unix", "main", "printf", "malloc", "free", "memcpy", "memset", "assert", "clock",
];
