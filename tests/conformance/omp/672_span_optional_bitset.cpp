// Views, optional values and sets of bits of the standard library in code for devices: made there, handed to functions, members of
// structures, by value and over memory of the device.
// expect: launches=7
// flags: -std=c++20
#include "../check.h"
#include <array>
#include <bitset>
#include <omp.h>
#include <optional>
#include <span>
#include <vector>

#define N 640
#define ROW 64

struct Grid {
    std::span<const double> in;
    std::span<double> out;
    double weight;
};

static double sum(std::span<const double> values)
{
    double total = 0;
    for (double v : values)
        total += v;
    return total;
}

static std::optional<int> find(std::span<const int> values, int wanted)
{
    for (int i = 0; i < (int)values.size(); i++)
        if (values[i] == wanted)
            return i;
    return std::nullopt;
}

struct Hit {
    int cell;
    double distance;
};

static std::optional<Hit> nearest(int from)
{
    std::optional<Hit> best;
    for (int k = 0; k < 5; k++) {
        double d = (from * 7 + k * 3) % 11 - 5.5;
        if (d > 0 && (!best || d < best->distance))
            best = Hit{k, d};
    }
    return best;
}

int main()
{
    int device = omp_get_default_device(), host = omp_get_initial_device();
    std::vector<double> x(N), y(N);
    for (int i = 0; i < N; i++)
        x[i] = i * 0.25;
    double *on_device = (double *)omp_target_alloc(2 * N * sizeof(double), device);
    omp_target_memcpy(on_device, x.data(), N * sizeof(double), 0, 0, device, host);

    Grid grid{{on_device, N}, {on_device + N, N}, 3};
#pragma omp target teams distribute parallel for firstprivate(grid)
    for (int i = 0; i < N; i++)
        grid.out[i] = grid.in[i] * grid.weight + grid.in.back();
#pragma omp target teams distribute parallel for firstprivate(grid)
    for (int r = 0; r < N / ROW; r++) {
        std::span<double> row = grid.out.subspan(r * ROW, ROW);
        row.front() = sum(row.first(4)) + sum(row.last<2>());
        std::span<double, 8> eight(row.data() + 8, 8);
        for (double &v : eight)
            v = (double)eight.size();
    }
    std::span<double> all(on_device + N, N);
#pragma omp target teams distribute parallel for
    for (double &v : all)
        v += 1;
    omp_target_memcpy(y.data(), on_device, N * sizeof(double), 0, N * sizeof(double), host, device);
    auto plain = [&](int i) { return x[i] * 3 + x[N - 1]; };
    for (int i = 0; i < N; i++) {
        int first = i - i % ROW;
        double expected = plain(i);
        if (i == first)
            expected = plain(i) + plain(i + 1) + plain(i + 2) + plain(i + 3) + plain(i + 62) + plain(i + 63);
        else if (i - first >= 8 && i - first < 16)
            expected = 8;
        check_near("views", i, y[i], expected + 1, 1e-9);
    }
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (const double v : all)
        total += v;
    double expected_total = 0;
    for (double v : y)
        expected_total += v;
    check_near("total", 0, total, expected_total, 1e-6);

    int table[50], found[50], cells[50];
    for (int i = 0; i < 50; i++)
        table[i] = i * 37 % 50 * 2;
#pragma omp target teams distribute parallel for map(to : table) map(from : found, cells)
    for (int i = 0; i < 50; i++) {
        std::optional<int> at = find(table, i);
        found[i] = at.value_or(-1);
        if (at == std::nullopt)
            at = 3;
        found[i] += 100 * *at;
        at.reset();
        auto hit = nearest(i);
        cells[i] = hit.has_value() && !at ? hit->cell : -1;
    }
    for (int i = 0; i < 50; i++) {
        std::optional<int> at = find(table, i);
        auto hit = nearest(i);
        check_int("found", i, found[i], at ? *at + 100 * *at : -1 + 300);
        check_int("cells", i, cells[i], hit ? hit->cell : -1);
    }

    unsigned long words[40];
    std::bitset<100> mask;
    for (int i = 0; i < 100; i += 3)
        mask.set(i);
    int members = 0;
#pragma omp target teams distribute parallel for reduction(+ : members)
    for (int i = 0; i < 100; i++)
        members += mask[i] ? i : 0;
    check_int("members", 0, members, 1683);
#pragma omp target teams distribute parallel for map(from : words)
    for (int i = 0; i < 40; i++) {
        std::bitset<100> own(0x5a5aul + i), other = own << i;
        own |= other;
        own.flip(70);
        own = own ^ (other >> 2);
        words[i] = (own & std::bitset<100>(0xffff)).to_ulong() * 1000 + own.count() + own.test(70) + own.any();
    }
    for (int i = 0; i < 40; i++) {
        std::bitset<100> own(0x5a5aul + i), other = own << i;
        own |= other;
        own.flip(70);
        own = own ^ (other >> 2);
        unsigned long low = (own & std::bitset<100>(0xffff)).to_ulong();
        check_int("words", i, words[i], low * 1000 + own.count() + own.test(70) + own.any());
    }
    omp_target_free(on_device, device);
    return finish();
}
