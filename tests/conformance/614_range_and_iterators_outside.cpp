// Modern host code around a region: range for, iterators, std::array, unique_ptr, exceptions,
// structured bindings; the region itself is plain.
// flags: -std=c++17
// expect: launches=2 uploads=2 downloads=2
#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>
#include "check.h"

static std::pair<int, int> bounds(const std::vector<int> &v)
{
    auto [low, high] = std::minmax_element(v.begin(), v.end());
    return {*low, *high};
}

static void stretch(std::vector<int> &v)
{
    if (v.empty())
        throw std::invalid_argument("empty");
    auto [low, high] = bounds(v);
    int from = low, width = high - low + 1, n = static_cast<int>(v.size());
    int *p = v.data();
#pragma acc parallel loop copy(p[0:n])
    for (int i = 0; i < n; i++)
        p[i] = (p[i] - from) * 1000 / width;
}

int main()
{
    std::vector<int> v(211), none;
    int k = 0;
    for (auto &x : v)
        x = (k++ * 37) % 307 - 50;
    auto before = v;
    stretch(v);
    auto [low, high] = bounds(before);
    for (std::size_t i = 0; i < v.size(); i++)
        check_int("v", i, v[i], (before[i] - low) * 1000 / (high - low + 1));
    bool caught = false;
    try {
        stretch(none);
    } catch (const std::exception &) {
        caught = true;
    }
    check_true("caught", caught);

    auto owner = std::make_unique<std::array<float, 60>>();
    owner->fill(1.5f);
    float *f = owner->data();
#pragma acc parallel loop copy(f[0:60])
    for (int i = 0; i < 60; i++)
        f[i] *= i;
    for (int i = 0; i < 60; i++)
        check_near("f", i, (*owner)[i], 1.5f * i, 0.0);
    return finish();
}
