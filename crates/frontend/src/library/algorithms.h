namespace accl_device {
struct Less {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a < b; }
};
template <class T> inline void exchange_values(T &a, T &b) { T old = a; a = b; b = old; }
template <class T, unsigned long n> inline T *begin(T (&a)[n]) { return a; }
template <class T, unsigned long n> inline T *end(T (&a)[n]) { return a + n; }
template <class T, unsigned long n> inline unsigned long size(T (&)[n]) { return n; }
template <class I> inline long distance(I first, I last) { return last - first; }
template <class I, class T> inline T accumulate(I first, I last, T sum) { for (; first != last; ++first) sum = sum + *first; return sum; }
template <class I, class T, class F> inline T accumulate(I first, I last, T sum, F f) { for (; first != last; ++first) sum = f(sum, *first); return sum; }
template <class I, class J, class T> inline T inner_product(I first, I last, J other, T sum) { for (; first != last; ++first, ++other) sum = sum + *first * *other; return sum; }
template <class I, class J, class T, class F, class G> inline T inner_product(I first, I last, J other, T sum, F f, G g) { for (; first != last; ++first, ++other) sum = f(sum, g(*first, *other)); return sum; }
template <class I, class F> inline void generate(I first, I last, F f) { for (; first != last; ++first) *first = f(); }
template <class I, class T> inline void iota(I first, I last, T value) { for (; first != last; ++first, ++value) *first = value; }
template <class I, class O> inline O partial_sum(I first, I last, O out) { if (first == last) return out; *out = *first; for (++first; first != last; ++first) { out[1] = *out + *first; ++out; } return ++out; }
template <class I, class T> inline void fill(I first, I last, const T &value) { for (; first != last; ++first) *first = value; }
template <class I, class N, class T> inline I fill_n(I first, N n, const T &value) { for (N i = 0; i < n; i++) *first++ = value; return first; }
template <class I, class O> inline O copy(I first, I last, O out) { for (; first != last; ++first, ++out) *out = *first; return out; }
template <class I, class N, class O> inline O copy_n(I first, N n, O out) { for (N i = 0; i < n; i++) *out++ = *first++; return out; }
template <class I, class O> inline O swap_ranges(I first, I last, O other) { for (; first != last; ++first, ++other) exchange_values(*first, *other); return other; }
template <class I, class O, class F> inline O transform(I first, I last, O out, F f) { for (; first != last; ++first, ++out) *out = f(*first); return out; }
template <class I, class J, class O, class F> inline O transform(I first, I last, J other, O out, F f) { for (; first != last; ++first, ++other, ++out) *out = f(*first, *other); return out; }
template <class I, class F> inline void for_each(I first, I last, F f) { for (; first != last; ++first) f(*first); }
template <class I, class T> inline void replace(I first, I last, const T &old, const T &value) { for (; first != last; ++first) if (*first == old) *first = value; }
template <class I> inline void reverse(I first, I last) { while (first != last && first != --last) { exchange_values(*first, *last); ++first; } }
template <class I, class O> inline O reverse_copy(I first, I last, O out) { while (first != last) *out++ = *--last; return out; }
template <class I> inline I rotate(I first, I middle, I last) { accl_device::reverse(first, middle); accl_device::reverse(middle, last); accl_device::reverse(first, last); return first + (last - middle); }
template <class I, class F, class T> inline void replace_if(I first, I last, F f, const T &value) { for (; first != last; ++first) if (f(*first)) *first = value; }
template <class I, class O, class F> inline O copy_if(I first, I last, O out, F f) { for (; first != last; ++first) if (f(*first)) *out++ = *first; return out; }
template <class I, class O> inline O adjacent_difference(I first, I last, O out) { if (first == last) return out; auto before = *first; *out = before; while (++first != last) { auto value = *first; *++out = value - before; before = value; } return ++out; }
template <class I> inline I unique(I first, I last) { if (first == last) return last; I kept = first; while (++first != last) if (!(*kept == *first)) *++kept = *first; return ++kept; }
template <class I, class T> inline I remove(I first, I last, const T &value) { I kept = first; for (; first != last; ++first) if (!(*first == value)) *kept++ = *first; return kept; }
template <class I, class F> inline I remove_if(I first, I last, F f) { I kept = first; for (; first != last; ++first) if (!f(*first)) *kept++ = *first; return kept; }
template <class I, class T> inline I find(I first, I last, const T &value) { while (first != last && !(*first == value)) ++first; return first; }
template <class I, class F> inline I find_if(I first, I last, F f) { while (first != last && !f(*first)) ++first; return first; }
template <class I, class F> inline I find_if_not(I first, I last, F f) { while (first != last && f(*first)) ++first; return first; }
template <class I> inline I adjacent_find(I first, I last) { if (first == last) return last; I next = first; while (++next != last && !(*first == *next)) ++first; return next == last ? last : first; }
template <class I, class T> inline long count(I first, I last, const T &value) { long n = 0; for (; first != last; ++first) n += *first == value ? 1 : 0; return n; }
template <class I, class F> inline long count_if(I first, I last, F f) { long n = 0; for (; first != last; ++first) n += f(*first) ? 1 : 0; return n; }
template <class I, class F> inline bool all_of(I first, I last, F f) { while (first != last && f(*first)) ++first; return first == last; }
template <class I, class F> inline bool any_of(I first, I last, F f) { while (first != last && !f(*first)) ++first; return first != last; }
template <class I, class F> inline bool none_of(I first, I last, F f) { while (first != last && !f(*first)) ++first; return first == last; }
template <class I, class J> inline bool equal(I first, I last, J other) { while (first != last && *first == *other) { ++first; ++other; } return first == last; }
template <class I, class J, class F> inline bool equal(I first, I last, J other, F same) { while (first != last && same(*first, *other)) { ++first; ++other; } return first == last; }
template <class I, class J> inline bool lexicographical_compare(I first, I last, J other, J end) { while (first != last && other != end && !(*first < *other) && !(*other < *first)) { ++first; ++other; } return other != end && (first == last || *first < *other); }
template <class I, class C> inline I max_element(I first, I last, C less) { if (first == last) return last; I best = first; while (++first != last) if (less(*best, *first)) best = first; return best; }
template <class I> inline I max_element(I first, I last) { if (first == last) return last; I best = first; while (++first != last) if (*best < *first) best = first; return best; }
template <class I, class C> inline I min_element(I first, I last, C less) { if (first == last) return last; I best = first; while (++first != last) if (less(*first, *best)) best = first; return best; }
template <class I> inline I min_element(I first, I last) { if (first == last) return last; I best = first; while (++first != last) if (*first < *best) best = first; return best; }
template <class I, class T, class C> inline I lower_bound(I first, I last, const T &value, C less) { long n = last - first; while (n > 0) { long half = n / 2; if (less(first[half], value)) { first += half + 1; n -= half + 1; } else n = half; } return first; }
template <class I, class T> inline I lower_bound(I first, I last, const T &value) { long n = last - first; while (n > 0) { long half = n / 2; if (first[half] < value) { first += half + 1; n -= half + 1; } else n = half; } return first; }
template <class I, class T, class C> inline I upper_bound(I first, I last, const T &value, C less) { long n = last - first; while (n > 0) { long half = n / 2; if (!less(value, first[half])) { first += half + 1; n -= half + 1; } else n = half; } return first; }
template <class I, class T> inline I upper_bound(I first, I last, const T &value) { long n = last - first; while (n > 0) { long half = n / 2; if (!(value < first[half])) { first += half + 1; n -= half + 1; } else n = half; } return first; }
template <class I, class T> inline bool binary_search(I first, I last, const T &value) { I found = accl_device::lower_bound(first, last, value); return found != last && !(value < *found); }
template <class I> inline I is_sorted_until(I first, I last) { if (first == last) return last; I next = first; while (++next != last && !(*next < *first)) ++first; return next; }
template <class I> inline bool is_sorted(I first, I last) { return accl_device::is_sorted_until(first, last) == last; }
template <class I, class C> inline void sort(I first, I last, C less)
{
    long end = last - first, start = end / 2;
    while (end > 1) {
        long root = 0;
        if (start > 0) {
            root = --start;
        } else {
            --end;
            exchange_values(first[0], first[end]);
        }
        bool sinks = true;
        while (sinks && 2 * root + 1 < end) {
            long child = 2 * root + 1;
            if (child + 1 < end && less(first[child], first[child + 1]))
                ++child;
            sinks = less(first[root], first[child]);
            if (sinks)
                exchange_values(first[root], first[child]);
            root = child;
        }
    }
}
template <class I> inline void sort(I first, I last) { accl_device::sort(first, last, Less()); }
template <class I, class C> inline void stable_sort(I first, I last, C less) { for (long i = 1; i < last - first; i++) for (long j = i; j > 0 && less(first[j], first[j - 1]); j--) exchange_values(first[j], first[j - 1]); }
template <class I> inline void stable_sort(I first, I last) { accl_device::stable_sort(first, last, Less()); }
template <class I> inline void nth_element(I first, I, I last) { accl_device::sort(first, last, Less()); }
template <class I> inline void partial_sort(I first, I, I last) { accl_device::sort(first, last, Less()); }
template <class T> struct Extremes {
    T first, second;
    template <class P> operator P() const { return P(first, second); }
};
template <class T> inline Extremes<T> minmax(const T &a, const T &b) { Extremes<T> both; both.first = b < a ? b : a; both.second = b < a ? a : b; return both; }
template <class T> inline const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> inline const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> inline T gcd(T a, T b) { while (b != 0) { T rest = a % b; a = b; b = rest; } return a < 0 ? -a : a; }
template <class T> inline T lcm(T a, T b) { T d = accl_device::gcd(a, b), m = d == 0 ? d : a / d * b; return m < 0 ? -m : m; }
template <class T> inline int popcount(T x) { return sizeof(T) > 4 ? __builtin_popcountll(x) : __builtin_popcount(x); }
template <class T> inline int countl_zero(T x) { return x == 0 ? 8 * (int)sizeof(T) : __builtin_clzll(x) - 64 + 8 * (int)sizeof(T); }
template <class T> inline int countr_zero(T x) { return x == 0 ? 8 * (int)sizeof(T) : __builtin_ctzll(x); }
template <class T> inline int bit_width(T x) { return 8 * (int)sizeof(T) - accl_device::countl_zero(x); }
template <class T> inline bool has_single_bit(T x) { return x != 0 && (x & (x - 1)) == 0; }
template <class T> inline T bit_ceil(T x) { return x <= 1 ? (T)1 : (T)((T)1 << accl_device::bit_width((T)(x - 1))); }
template <class T> inline T bit_floor(T x) { return x == 0 ? (T)0 : (T)((T)1 << (accl_device::bit_width(x) - 1)); }
template <class T> inline int countl_one(T x) { return accl_device::countl_zero((T)~x); }
template <class T> inline int countr_one(T x) { return accl_device::countr_zero((T)~x); }
template <class T> inline T rotl(T x, int n) { const int bits = 8 * sizeof(T), by = n & (bits - 1); return (T)((x << by) | (x >> ((bits - by) & (bits - 1)))); }
template <class T> inline T rotr(T x, int n) { const int bits = 8 * sizeof(T), by = n & (bits - 1); return (T)((x >> by) | (x << ((bits - by) & (bits - 1)))); }
template <class To, class From> inline To bit_cast(const From &from) { union { From from; To to; } bits; bits.from = from; return bits.to; }
}
