// Clocks read before main and after it, by several threads, by the handler of a signal, and in a forked process.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static volatile long read_so_far;

static long now()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

struct Reader {
    long since = now();
    ~Reader() { read_so_far = now() - since; }
};

static Reader before_main_and_after;

static void at_exit()
{
    read_so_far = now();
}

static void on_alarm(int)
{
    timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    read_so_far = moment.tv_nsec;
}

static void work(double *a, int n, int times)
{
#pragma acc data copy(a[0:n])
    for (int i = 0; i < times; i++) {
#pragma acc parallel loop
        for (int k = 0; k < n; k++)
            a[k] += 1.0;
        if (i % 3 == 0)
            read_so_far = now();
    }
}

// Of a process that has nothing to wait for, though its parent has.
static int in_child(double *a, int n)
{
    int status = 1;
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop
        for (int k = 0; k < n; k++)
            a[k] += 1.0;
        pid_t child = fork();
        if (child == 0)
            _exit(now() == 0);
        waitpid(child, &status, 0);
    }
    return status;
}

int main()
{
    enum { N = 1000, THREADS = 3, TIMES = 300 };
    std::atexit(at_exit);
    std::vector<std::vector<double>> arrays(THREADS, std::vector<double>(N));
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, nullptr);
    std::vector<std::thread> threads;
    for (int t = 1; t < THREADS; t++)
        threads.emplace_back([&arrays, t] { work(arrays[t].data(), N, TIMES); });
    // A handler may come at any place but inside of malloc, so only this thread has one, while it works.
    std::signal(SIGALRM, on_alarm);
    itimerval often = {{0, 500}, {0, 500}}, never = {};
    setitimer(ITIMER_REAL, &often, nullptr);
    pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
    work(arrays[0].data(), N, TIMES);
    setitimer(ITIMER_REAL, &never, nullptr);
    for (std::thread &thread : threads)
        thread.join();
    for (std::vector<double> &array : arrays)
        for (double element : array)
            if (element != TIMES)
                return 1;
    return in_child(arrays[0].data(), N);
}
