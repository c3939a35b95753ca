// A tool of OpenMP's tools interface hears of devices, constructs, memory, copies and launches: OpenMP 5.2 §19.5.2.
// expect: launches=2 uploads=2 downloads=2
// needs: separate
// gcc: rejects, its library starts no tools
#include "../check.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What omp-tools.h declares of it. */
typedef union {
    uint64_t value;
    void *ptr;
} ompt_data_t;
typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *);
typedef int (*ompt_set_callback_t)(int, ompt_interface_fn_t);
typedef struct {
    int (*initialize)(ompt_function_lookup_t, int, ompt_data_t *);
    void (*finalize)(ompt_data_t *);
    ompt_data_t tool_data;
} ompt_start_tool_result_t;

static int devices, loads, begun[5], ended[5], operations[5], submits, maps[32], threads_refused, wrong;
static uint64_t open_target;
static size_t moved[5];

static void on_device(int number, const char *type, void *device, ompt_function_lookup_t look_up, const char *text)
{
    (void)device, (void)look_up, (void)text;
    devices += number == 0 && type != NULL;
}

static void on_load(int number, const char *file, int64_t offset, void *vma, size_t bytes, void *host, void *device,
                    uint64_t module)
{
    (void)number, (void)file, (void)offset, (void)vma, (void)bytes, (void)host, (void)device, (void)module;
    loads++;
}

static void on_target(int kind, int endpoint, int device, ompt_data_t *task, uint64_t id, const void *code)
{
    (void)task, (void)code;
    wrong += device != 0 || kind < 1 || kind > 4 || id == 0;
    if (endpoint == 1) {
        begun[kind]++;
        open_target = id;
    } else {
        ended[kind]++;
        wrong += kind != 1 && id != open_target;
    }
}

static void on_data(int endpoint, ompt_data_t *task, ompt_data_t *target, uint64_t *operation, int kind, void *from,
                    int from_device, void *to, int to_device, size_t bytes, const void *code)
{
    (void)task, (void)target, (void)from, (void)to, (void)code;
    wrong += kind < 1 || kind > 4 || *operation == 0;
    wrong += kind == 2 && (from_device == 0 || to_device != 0);
    wrong += kind == 3 && (from_device != 0 || to_device == 0);
    if (endpoint == 2) {
        operations[kind]++;
        moved[kind] += bytes;
    }
}

static void on_maps(uint64_t target, unsigned n, void **host, void **device, size_t *bytes, unsigned *flags,
                    const void *code)
{
    (void)code;
    wrong += target == 0 || target != open_target;
    for (unsigned i = 0; i < n; i++) {
        wrong += bytes[i] != 400 || host[i] == NULL || device[i] == NULL;
        maps[flags[i] & 31]++;
    }
}

static void on_submit(uint64_t target, uint64_t operation, unsigned teams)
{
    wrong += target == 0 || operation == 0 || teams == 0;
    submits++;
}

static int start(ompt_function_lookup_t look_up, int initial_device, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    wrong += initial_device < 1 || data->value != 77;
    wrong += set(12, (ompt_interface_fn_t)on_device) != 5;
    wrong += set(14, (ompt_interface_fn_t)on_load) != 5;
    wrong += set(8, (ompt_interface_fn_t)on_target) != 5;
    wrong += set(34, (ompt_interface_fn_t)on_data) != 5;
    wrong += set(22, (ompt_interface_fn_t)on_maps) != 5;
    wrong += set(10, (ompt_interface_fn_t)on_submit) != 5;
    threads_refused = set(1, (ompt_interface_fn_t)on_submit) == 1;
    return 1;
}

static void end(ompt_data_t *data)
{
    if (data->value != 77) {
        printf("FAIL the tool's data\n");
    }
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {start, end, {77}};
    wrong += version < 201811 || runtime == NULL;
    return &result;
}

int main(void)
{
    int a[100], b[100];
    for (int i = 0; i < 100; i++) {
        a[i] = b[i] = i;
    }
#pragma omp target data map(to : a)
    {
#pragma omp target teams distribute parallel for map(tofrom : b)
        for (int i = 0; i < 100; i++) {
            b[i] += a[i];
            a[i] = 1;
        }
#pragma omp target update from(a)
    }
#pragma omp target enter data map(alloc : a)
#pragma omp target
    a[1] = 5;
#pragma omp target exit data map(delete : a)
    check_int("b", 9, b[9], 18);
    check_int("a", 9, a[9], 1);
    check_int("devices", 0, devices, 1);
    check_int("loads", 0, loads, 1);
    check_int("wrong", 0, wrong, 0);
    check_int("threads refused", 0, threads_refused, 1);
    const int constructs[5] = {0, 2, 2, 2, 1};
    for (int kind = 1; kind < 5; kind++) {
        check_int("begun", kind, begun[kind], constructs[kind]);
        check_int("ended", kind, ended[kind], constructs[kind]);
    }
    check_int("allocations", 0, operations[1], 3);
    check_int("to the device", 0, operations[2], 2);
    check_int("from the device", 0, operations[3], 2);
    check_int("deletions", 0, operations[4], 3);
    check_int("bytes", 2, (long)moved[2], 2 * sizeof a);
    check_int("bytes", 3, (long)moved[3], 2 * sizeof a);
    check_int("mapped to", 0, maps[1], 1);
    check_int("mapped both ways", 0, maps[3], 3);
    check_int("allocated", 0, maps[4], 1);
    check_int("deleted", 0, maps[16], 1);
    check_int("submits", 0, submits, 2);
    return finish();
}
