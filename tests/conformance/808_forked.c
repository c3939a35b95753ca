// A child of a process that has used the device may not use it: it is told so, and does not hang. What it does on
// the host goes on, as does its parent.
// expect-stderr: forked from one that had used the device
// needs: runtime
#include "check.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long sum(int n)
{
    long s = 0;
    #pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}

int main(void)
{
    int status = -1;
    check_int("before", 0, sum(100), 4950);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(sum(100) == 4950 ? 0 : 2);
    }
    waitpid(child, &status, 0);
    check_true("the child ended by itself", WIFEXITED(status));
    check_int("its exit code", 0, WEXITSTATUS(status), 1);
    child = fork();
    if (child == 0)
        exit(7);
    waitpid(child, &status, 0);
    check_true("the idle child ended by itself", WIFEXITED(status) && WEXITSTATUS(status) == 7);
    check_int("after", 0, sum(200), 19900);
    return finish();
}
