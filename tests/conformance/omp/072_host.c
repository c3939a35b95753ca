// Teams of the host beside target constructs, newer words in directives for the host, routines, and errors at run time.
// expect: launches=3
// expect-stderr: host says so
// gcc: rejects, parts are of OpenMP 5.1 and newer than gcc 12
#include "../check.h"
#include <omp.h>

#define N 40

static int sum;

static void all_teams(int n)
{
#pragma omp teams num_teams(3)
    {
        check_int("teams", 0, omp_get_num_teams(), 3);
#pragma omp distribute
        for (int i = 0; i < n; i++)
#pragma omp atomic
            sum += i;
#pragma omp parallel num_threads(2)
#pragma omp atomic
        sum += 1000;
    }
}

int main(void)
{
    int a[N], on_device = -1, teams = 0;
#pragma omp begin assumes no_openmp_routines
    all_teams(N);
    all_teams(0);
#pragma omp end assumes
    check_int("sum", 0, sum, N * (N - 1) / 2 + 12 * 1000);

#pragma omp teams num_teams(2)
    {
#pragma omp parallel num_threads(1)
        if (omp_get_team_num() == 1) {
#pragma omp target map(from : on_device) map(from : teams)
            {
                on_device = omp_is_initial_device();
                teams = 1;
            }
        }
    }
    check_int("target in teams", 0, on_device, 0);
    check_int("target in teams", 1, teams, 1);

    int x = 0, y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(inoutset : x)
        x += 3;
#pragma omp taskwait depend(in : x) nowait
#pragma omp task depend(in : x)
        y = x;
    }
    check_int("tasks", 0, y, 3);
#pragma omp simd linear(x : step(2))
    for (int i = 0; i < N; i++) {
        a[i] = x;
        x += 2;
    }
    for (int i = 0; i < N; i++)
        check_int("linear", i, a[i], 3 + 2 * i);
#pragma omp parallel for ordered(1) num_threads(2)
    for (int i = 1; i < N; i++) {
#pragma omp ordered doacross(sink : i - 1)
        a[i] = a[i - 1] + 1;
#pragma omp ordered doacross(source :)
    }
    check_int("doacross", 0, a[N - 1], 3 + N - 1);
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp depobj(object) destroy(object)

#pragma omp error at(execution) severity(warning) message("host says so")
    int passed = 0;
#pragma omp target map(tofrom : passed)
    {
        passed++;
#pragma omp error at(execution) severity(warning) message("the device, too")
        passed++;
#pragma omp error at(compilation) severity(warning)
        passed++;
    }
    check_int("passed", 0, passed, 3);

    // The numbers of the host and of no device.
    check_int("initial", 0, omp_initial_device, -1);
#pragma omp target device(omp_initial_device) map(from : on_device)
    on_device = omp_is_initial_device();
    check_int("initial", 1, on_device, 1);
    check_int("accessible", 0, omp_target_is_accessible(a, sizeof a, omp_initial_device), 1);
    check_int("accessible", 1, omp_target_is_accessible(a, sizeof a, omp_get_num_devices() + 1), 0);
    check_int("pause", 0, omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
    check_int("pause", 1, omp_pause_resource(omp_pause_soft, 0), 0);
    check_int("pause", 2, omp_pause_resource_all(omp_pause_soft) != 0, 0);
#pragma omp target map(tofrom : passed)
    passed++;
    check_int("passed", 1, passed, 4);

    // On a CUDA device there is a stream, elsewhere nothing.
    omp_interop_t interop = omp_interop_none;
    int code = 5;
#pragma omp interop init(prefer_type("cuda"), targetsync : interop) device(0)
    void *stream = omp_get_interop_ptr(interop, omp_ipr_targetsync, &code);
    check_int("interop", 0, code, interop == omp_interop_none ? omp_irc_empty : omp_irc_success);
    check_int("interop", 1, stream == NULL, interop == omp_interop_none);
    check_int("interop", 2, omp_get_interop_int(interop, omp_ipr_device_num, &code), 0);
#pragma omp interop use(interop)
#pragma omp interop destroy(interop)
    check_int("interop", 3, interop == omp_interop_none, 1);
    return finish();
}
