// Constants that classes of the standard library have as static members.
// expect: launches=1
#include "../check.h"
#include <array>
#include <ratio>
#include <tuple>
#include <type_traits>

#define N 20

using Eight = std::integral_constant<long long, -8>;

template <typename T> int rank_of() { return std::rank<T>::value * 10 + std::extent<T>::value; }

int main()
{
    long long got[N];
#pragma omp target teams distribute parallel for map(from : got)
    for (int i = 0; i < N; i++) {
        std::array<int, 5> a{};
        got[i] = i + a[2] + std::tuple_size<decltype(a)>::value + Eight::value + rank_of<int[7][3]>() +
                 std::ratio<3, -4>::num + std::nano::den + (std::is_signed<long>::value ? 1 : 0);
    }
    for (int i = 0; i < N; i++)
        check_int("value", i, got[i], i + 5 - 8 + 27 - 3 + 1000000000LL + 1);
    return finish();
}
