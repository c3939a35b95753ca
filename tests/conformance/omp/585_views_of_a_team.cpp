// A structure of each thread with a pointer into the team's memory, which a method of another structure, without pointers, takes.
//
// expect: launches=2
#include "../check.h"
#include <omp.h>

struct Tile {
    float *values;
    int row;

    float &at(int i, int j) { return values[i * row + j]; }
    float at(int i, int j) const { return values[i * row + j]; }
};

template <int R> struct Stencil {
    float weights[2 * R + 1];

    template <typename A> float apply(const A &a, int i, int j) const
    {
        float sum = 0;
        for (int k = -R; k <= R; k++)
            sum += weights[k + R] * a.at(i, j + k);
        return sum;
    }
};

template <int R> static void run(Stencil<R> stencil)
{
    const int h = 7, w = 100, block = 32, blocks = (w + block - 1) / block;
    float in[h * w], out[h * w];
    for (int i = 0; i < h * w; i++)
        in[i] = i % 13;
#pragma omp target teams num_teams(blocks * h) thread_limit(block) map(to: in) map(from: out)
    {
        float buffer[block + 2 * R];
#pragma omp parallel num_threads(block)
        {
            Tile tile{buffer, block + 2 * R};
            int t = omp_get_thread_num(), x = omp_get_team_num() % blocks * block + t;
            int y = omp_get_team_num() / blocks;
            auto get = [=](int i) { return i >= 0 && i < w ? in[y * w + i] : 0.0f; };
            tile.at(0, t + R) = get(x);
            if (t < R) {
                tile.at(0, t) = get(x - R);
                tile.at(0, block + R + t) = get(x + block);
            }
#pragma omp barrier
            if (x < w)
                out[y * w + x] = stencil.apply(tile, 0, t + R);
        }
    }
    for (int i = 0; i < h * w; i++) {
        float want = 0;
        for (int k = -R; k <= R; k++)
            if (i % w + k >= 0 && i % w + k < w)
                want += stencil.weights[k + R] * in[i + k];
        check_near("out", i, out[i], want, 1e-5);
    }
}

int main()
{
    run<1>({{0.25f, 0.5f, 0.25f}});
    run<3>({{0.1f, 0.2f, 0.1f, 0.2f, 0.1f, 0.2f, 0.1f}});
    return finish();
}
