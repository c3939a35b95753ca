/* Elements of 8, 16 and 32 bits lie as packed ones do; the words behind an element's last are not touched. */
static __device__ unsigned long long raw_of(const unsigned *words, long long i, int bits)
{
    long long bit = i * bits;
    int within = (int)(bit & 31);
    const unsigned *at = words + (bit >> 5);
    unsigned long long raw = at[0];
    if (within + bits > 32)
        raw |= (unsigned long long)at[1] << 32;
    raw >>= within;
    if (within + bits > 64)
        raw |= (unsigned long long)at[2] << (64 - within);
    return raw & ((1ull << bits) - 1);
}

#define EACH(i, n) \
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)

extern "C" __global__ void accl_decode_float(float *out, const unsigned *words, long long first, long long n, int bits,
                                             float scale, float bias)
{
    unsigned rest = (1u << (23 - bits)) >> 1 | 0x3f800000u;
    EACH(i, n)
        out[i] = fmaf(__uint_as_float((unsigned)raw_of(words, first + i, bits) << (23 - bits) | rest), scale, bias);
}

extern "C" __global__ void accl_decode_double(double *out, const unsigned *words, long long first, long long n,
                                              int bits, double scale, double bias)
{
    unsigned long long rest = (1ull << (52 - bits)) >> 1 | 0x3ff0000000000000ull;
    EACH(i, n)
        out[i] = fma(__longlong_as_double((long long)(raw_of(words, first + i, bits) << (52 - bits) | rest)), scale,
                     bias);
}

static __device__ unsigned long long encoded(float x, int bits, float inverse, float offset)
{
    float t = fmaf(x == x ? x : 0.0f, inverse, offset);
    t = fminf(fmaxf(t, 1.0f), __uint_as_float(0x3fffffffu));
    return (__float_as_uint(t) & 0x7fffffu) >> (23 - bits);
}

static __device__ unsigned long long encoded(double x, int bits, double inverse, double offset)
{
    double t = fma(x == x ? x : 0.0, inverse, offset);
    t = fmin(fmax(t, 1.0), __longlong_as_double(0x3fffffffffffffffll));
    return ((unsigned long long)__double_as_longlong(t) & 0xfffffffffffffull) >> (52 - bits);
}

/* Word w, with the numbers first to end - 1 of the words' in it, the first of them at in[0]. */
template <typename T>
static __device__ unsigned make_word(unsigned *words, long long w, const T *in, long long first, long long end, int bits,
                                     T inverse, T offset, T min, T max)
{
    unsigned long long ones = (1ull << bits) - 1;
    unsigned word = 0, mask = 0, outside = 0;
    long long i = w * 32 / bits;
    for (i = i < first ? first : i; i < end && i * bits < w * 32 + 32; i++) {
        T x = in[i - first];
        unsigned long long raw = encoded(x, bits, inverse, offset);
        int at = (int)(i * bits - w * 32);
        word |= (unsigned)(at < 0 ? raw >> -at : raw << at);
        mask |= (unsigned)(at < 0 ? ones >> -at : ones << at);
        /* An element is counted where it begins. */
        outside += at >= 0 && !(x >= min && x <= max);
    }
    words[w] = mask == 0xffffffffu ? word : (words[w] & ~mask) | word;
    return outside;
}

template <typename T>
static __device__ void encode(unsigned *words, const T *in, unsigned *counter, long long first, long long n, int bits,
                              T inverse, T offset, T min, T max)
{
    long long begin = first * bits / 32, end = ((first + n) * bits + 31) / 32;
    unsigned outside = 0;
    EACH(i, end - begin)
        outside += make_word(words, begin + i, in, first, first + n, bits, inverse, offset, min, max);
    if (outside > 0)
        atomicAdd(counter, outside);
}

extern "C" __global__ void accl_encode_float(unsigned *words, const float *in, unsigned *counter, long long first,
                                             long long n, int bits, float inverse, float offset, float min, float max)
{
    encode(words, in, counter, first, n, bits, inverse, offset, min, max);
}

extern "C" __global__ void accl_encode_double(unsigned *words, const double *in, unsigned *counter, long long first,
                                              long long n, int bits, double inverse, double offset, double min,
                                              double max)
{
    encode(words, in, counter, first, n, bits, inverse, offset, min, max);
}
