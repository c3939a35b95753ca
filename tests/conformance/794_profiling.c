// The profiling interface: a tool that the program has linked is told of each event, in order, with its data (chapter 5).
// needs: separate
// gcc: rejects, its kernels have other events
#include "check.h"
#include <acc_prof.h>
#include <openacc.h>

#define CHECK(condition) check_true(#condition, condition)

static int seen[acc_ev_last], in_other_order, depth, loaded;
static const char *uploaded;
static size_t uploaded_bytes;
static acc_construct_t parent = acc_construct_runtime_api;

static void count(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    CHECK(prof->event_type == event->event_type);
    CHECK(prof->version == 202211);
    CHECK(prof->valid_bytes > 0 && api->valid_bytes > 0 && event->other_event.valid_bytes > 0);
    seen[prof->event_type]++;
}

static void data(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    count(prof, event, api);
    uploaded = event->data_event.var_name;
    uploaded_bytes = event->data_event.bytes;
    CHECK(event->data_event.host_ptr != 0 && event->data_event.device_ptr != 0);
}

static void start(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    count(prof, event, api);
    parent = event->other_event.parent_construct;
    event->other_event.tool_info = (void *)&seen[++depth];
}

static void end(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    count(prof, event, api);
    /* What the start left is there at the end. */
    CHECK(event->other_event.tool_info == (void *)&seen[depth]);
    depth--;
}

static void launched(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    count(prof, event, api);
    CHECK(event->launch_event.num_gangs > 0 && event->launch_event.vector_length > 0);
    CHECK(event->launch_event.kernel_name != 0);
    CHECK(prof->line_no > 0 && prof->src_file != 0);
}

static void first(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    in_other_order = in_other_order * 10 + (prof->event_type == acc_ev_update_start ? 1 : 4);
}

static void second(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    in_other_order = in_other_order * 10 + (prof->event_type == acc_ev_update_start ? 2 : 3);
}

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup)
{
    loaded++;
    CHECK(lookup("acc_prof_register") == (acc_query_fn)reg);
    CHECK(lookup("acc_prof_unregister") == (acc_query_fn)unreg);
    CHECK(lookup("no such function") == 0);
    reg(acc_ev_device_init_start, count, acc_reg);
    reg(acc_ev_device_init_end, count, acc_reg);
    reg(acc_ev_create, data, acc_reg);
    reg(acc_ev_delete, data, acc_reg);
    reg(acc_ev_alloc, count, acc_reg);
    reg(acc_ev_free, count, acc_reg);
    reg(acc_ev_enter_data_start, start, acc_reg);
    reg(acc_ev_enter_data_end, end, acc_reg);
    reg(acc_ev_exit_data_start, start, acc_reg);
    reg(acc_ev_exit_data_end, end, acc_reg);
    reg(acc_ev_compute_construct_start, start, acc_reg);
    reg(acc_ev_compute_construct_end, end, acc_reg);
    reg(acc_ev_enqueue_launch_start, launched, acc_reg);
    reg(acc_ev_enqueue_launch_end, launched, acc_reg);
    reg(acc_ev_enqueue_upload_start, data, acc_reg);
    reg(acc_ev_enqueue_upload_end, data, acc_reg);
    reg(acc_ev_enqueue_download_start, data, acc_reg);
    reg(acc_ev_enqueue_download_end, data, acc_reg);
    reg(acc_ev_wait_start, start, acc_reg);
    reg(acc_ev_wait_end, end, acc_reg);
}

static void compute(int *a, int n)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i]++;
}

int main(void)
{
    int a[64] = {0};
    acc_init(acc_get_device_type());
    check_int("loaded", 0, loaded, 1);
    check_int("device_init", 0, seen[acc_ev_device_init_start], 1);
    check_int("device_init", 1, seen[acc_ev_device_init_end], 1);

    compute(a, 64);
    check_int("create", 0, seen[acc_ev_create], 1);
    check_int("alloc", 0, seen[acc_ev_alloc], 1);
    check_int("delete", 0, seen[acc_ev_delete], 1);
    check_int("free", 0, seen[acc_ev_free], 1);
    check_int("construct", 0, seen[acc_ev_compute_construct_start], 1);
    check_int("construct", 1, seen[acc_ev_compute_construct_end], 1);
    check_int("launch", 0, seen[acc_ev_enqueue_launch_start], 1);
    check_int("launch", 1, seen[acc_ev_enqueue_launch_end], 1);
    check_int("upload", 0, seen[acc_ev_enqueue_upload_start], 1);
    check_int("download", 1, seen[acc_ev_enqueue_download_end], 1);
    check_int("enter", 0, seen[acc_ev_enter_data_start], 1);
    check_int("exit", 1, seen[acc_ev_exit_data_end], 1);
    check_int("depth", 0, depth, 0);
    CHECK(parent == acc_construct_parallel);
    CHECK(uploaded_bytes == sizeof a);
    CHECK(uploaded != 0 && uploaded[0] == 'a');

#pragma acc enter data copyin(a)
    CHECK(parent == acc_construct_enter_data);
    /* Callbacks of a start are called in the order of their registration, of an end in the opposite one. */
    acc_prof_register(acc_ev_update_start, first, acc_reg);
    acc_prof_register(acc_ev_update_start, second, acc_reg);
    acc_prof_register(acc_ev_update_end, first, acc_reg);
    acc_prof_register(acc_ev_update_end, second, acc_reg);
#pragma acc update device(a)
    check_int("order", 0, in_other_order, 1234);
    acc_prof_unregister(acc_ev_update_start, first, acc_reg);
    acc_prof_unregister(acc_ev_update_end, second, acc_toggle);
#pragma acc update device(a)
    check_int("order", 1, in_other_order, 123424);
    acc_prof_register(acc_ev_update_end, second, acc_toggle);
    acc_prof_unregister(acc_ev_update_start, 0, acc_toggle);
#pragma acc update device(a)
    check_int("order", 2, in_other_order, 12342434);
    acc_prof_unregister(acc_ev_none, 0, acc_toggle_per_thread);
#pragma acc update device(a)
    check_int("order", 3, in_other_order, 12342434);
    acc_prof_register(acc_ev_none, 0, acc_toggle_per_thread);
    acc_prof_unregister(acc_ev_none, 0, acc_toggle);
    int before = seen[acc_ev_delete];
#pragma acc exit data delete(a)
    check_int("switched off", 0, seen[acc_ev_delete], before);
    acc_prof_register(acc_ev_none, 0, acc_toggle);

    /* What is waited for on queues. */
    int waits = seen[acc_ev_wait_start];
#pragma acc parallel loop async(4) copy(a)
    for (int i = 0; i < 64; i++)
        a[i]++;
#pragma acc wait(4)
    CHECK(seen[acc_ev_wait_start] > waits);
    check_int("waits", 0, seen[acc_ev_wait_start], seen[acc_ev_wait_end]);
    for (int i = 0; i < 64; i++)
        check_int("a", i, a[i], 2);
    return finish();
}
