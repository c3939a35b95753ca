// -gpu=autodata: the system reads and writes memory that is on the device; a child finds it on the host; the program's own handler of faults works.
// flags: -gpu=autodata
// needs: runtime
#define _GNU_SOURCE
#include "check.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 30000

static int *a;

static void add(int by)
{
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        a[i] += by;
}

static void expect(const char *what, const int *p, int first)
{
    for (int i = 0; i < N; i++)
        check_int(what, i, p[i], first + i);
}

static sigjmp_buf back;
static volatile int caught;

static void handler(int signal, siginfo_t *info, void *context)
{
    caught += signal == SIGSEGV && info && context;
    siglongjmp(back, 1);
}

static void fault(void)
{
    char *nothing = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!sigsetjmp(back, 1))
        *(volatile char *)nothing = 1;
    munmap(nothing, 4096);
}

int main(void)
{
    size_t bytes = N * sizeof(int);
    a = malloc(bytes);
    int *b = malloc(bytes);
    for (int i = 0; i < N; i++)
        a[i] = i;
    add(1);
    FILE *f = tmpfile();
    check_int("fwrite", 0, fwrite(a, sizeof(int), N, f), N);
    add(1);
    rewind(f);
    check_int("fread", 0, fread(a, sizeof(int), N, f), N);
    expect("fread", a, 1);
    add(4);
    int fd = fileno(f);
    check_int("pwrite", 0, pwrite(fd, a, bytes, 0), bytes);
    add(1);
    check_int("pread", 0, pread(fd, b, bytes, 0), bytes);
    expect("pread", b, 5);
    lseek(fd, 0, SEEK_SET);
    check_int("write", 0, write(fd, a, bytes), bytes);
    add(1);
    lseek(fd, 0, SEEK_SET);
    check_int("read", 0, read(fd, a + N / 2, bytes / 2), bytes / 2);
    for (int i = 0; i < N / 2; i++) {
        check_int("half", i, a[i], i + 7);
        check_int("half", N / 2 + i, a[N / 2 + i], i + 6);
        a[N / 2 + i] = N / 2 + i + 7;
    }
    add(1);
    struct iovec parts[2] = {{a, bytes / 2}, {a + N / 2, bytes / 2}};
    lseek(fd, 0, SEEK_SET);
    check_int("writev", 0, writev(fd, parts, 2), bytes);
    check_int("pread", 1, pread(fd, b, bytes, 0), bytes);
    expect("writev", b, 8);
    add(1);
    memcpy(b, a, bytes);
    expect("memcpy", b, 9);
    fclose(f);

    add(1);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += a[i] - i;
        a[0] = 5;
        _exit(sum == 10L * N ? 7 : 8);
    }
    int status;
    waitpid(child, &status, 0);
    check_int("child", 0, WEXITSTATUS(status), 7);
    expect("parent", a, 10);
    add(1);

    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    fault();
    check_int("caught", 0, caught, 1);
    expect("beside a handler", a, 11);
    sigaction(SIGSEGV, NULL, &old);
    check_true("the handler is the program's", old.sa_sigaction == handler);
    add(1);
    fault();
    check_int("caught", 1, caught, 2);
    expect("after a fault", a, 12);
    free(a);
    free(b);
    return finish();
}
