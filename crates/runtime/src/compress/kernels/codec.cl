#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define AT(type, buf, off) ((type *)((__global char *)buf + off))
#define EACH(i, n) for (long i = get_global_id(0); i < n; i += get_global_size(0))

/* Elements of 8, 16 and 32 bits lie as packed ones do; the words behind an element's last are not touched. */
ulong raw_of(__global const uint *words, long i, int bits)
{
    long bit = i * bits;
    int within = (int)(bit & 31);
    __global const uint *at = words + (bit >> 5);
    ulong raw = at[0];
    if (within + bits > 32)
        raw |= (ulong)at[1] << 32;
    raw >>= within;
    if (within + bits > 64)
        raw |= (ulong)at[2] << (64 - within);
    return raw & ((1ul << bits) - 1);
}

/* A float and a double version of all that follows. In make_word: word w, with the numbers first to end - 1 of the
   words' in it, the first of them at in[0]; an element is counted where it begins. */
#define VERSIONS(T, U, as_T, as_U, MANTISSA, EXPONENT, MOST, ZERO, ONE) \
__kernel void accl_decode_##T(__global T *out_buf, long out_off, __global const uint *words_buf, long words_off, \
                              long first, long n, int bits, T scale, T bias) \
{ \
    __global T *out = AT(__global T, out_buf, out_off); \
    __global const uint *words = AT(__global const uint, words_buf, words_off); \
    U rest = ((U)1 << (MANTISSA - bits)) >> 1 | EXPONENT; \
    EACH(i, n) \
        out[i] = fma(as_T((U)raw_of(words, first + i, bits) << (MANTISSA - bits) | rest), scale, bias); \
} \
uint make_word_##T(__global uint *words, long w, __global const T *in, long first, long end, int bits, T inverse, \
                   T offset, T min, T max) \
{ \
    ulong ones = (1ul << bits) - 1; \
    uint word = 0, mask = 0, outside = 0; \
    long i = w * 32 / bits; \
    for (i = i < first ? first : i; i < end && i * bits < w * 32 + 32; i++) { \
        T x = in[i - first]; \
        T t = fma(x == x ? x : ZERO, inverse, offset); \
        t = fmin(fmax(t, ONE), as_T(MOST)); \
        ulong raw = (as_U(t) & (((U)1 << MANTISSA) - 1)) >> (MANTISSA - bits); \
        int at = (int)(i * bits - w * 32); \
        word |= (uint)(at < 0 ? raw >> -at : raw << at); \
        mask |= (uint)(at < 0 ? ones >> -at : ones << at); \
        outside += at >= 0 && !(x >= min && x <= max); \
    } \
    words[w] = mask == 0xffffffffu ? word : (words[w] & ~mask) | word; \
    return outside; \
} \
__kernel void accl_encode_##T(__global uint *words_buf, long words_off, __global const T *in_buf, long in_off, \
                              __global uint *counter_buf, long counter_off, long first, long n, int bits, T inverse, \
                              T offset, T min, T max) \
{ \
    __global uint *words = AT(__global uint, words_buf, words_off); \
    __global const T *in = AT(__global const T, in_buf, in_off); \
    long begin = first * bits / 32, end = ((first + n) * bits + 31) / 32; \
    uint outside = 0; \
    EACH(i, end - begin) \
        outside += make_word_##T(words, begin + i, in, first, first + n, bits, inverse, offset, min, max); \
    if (outside > 0) \
        atomic_add(AT(__global uint, counter_buf, counter_off), outside); \
}

VERSIONS(float, uint, as_float, as_uint, 23, 0x3f800000u, 0x3fffffffu, 0.0f, 1.0f)
#ifdef cl_khr_fp64
VERSIONS(double, ulong, as_double, as_ulong, 52, 0x3ff0000000000000ul, 0x3ffffffffffffffful, 0.0, 1.0)
#endif
