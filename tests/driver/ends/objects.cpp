// Static objects whose destructors use the device: those that are older than it, and those that are younger.
#include <cstdlib>
#include <thread>

struct Field {
    static const int n = 1000;
    double *p;
    bool used = false;
    int wrong = 0;
    explicit Field(bool use) : p(new double[n])
    {
        if (use)
            start();
    }
    void start()
    {
        used = true;
#pragma acc enter data create(p[0 : n])
#pragma acc parallel loop present(p[0 : n])
        for (int i = 0; i < n; i++)
            p[i] = i;
    }
    ~Field()
    {
#pragma acc parallel loop present(p[0 : n])
        for (int i = 0; i < n; i++)
            p[i] += 1;
#pragma acc exit data copyout(p[0 : n])
        if (p[n - 1] != n)
            std::_Exit(3);
        delete[] p;
    }
};

static Field at_start(true), later(false);

int main(int argc, char **)
{
    later.start();
    static Field local(true);
    if (argc > 1) {
        std::thread ending([] { std::exit(0); });
        ending.join();
    }
    return 0;
}
