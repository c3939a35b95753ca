#include <acc_prof.h>
#include <stdio.h>

#ifndef WORD
#define WORD tool
#endif
#define TEXT(word) #word
#define TEXT_OF(word) TEXT(word)

static int launches, uploads, downloads;

static void count(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    launches += prof->event_type == acc_ev_enqueue_launch_start;
    uploads += prof->event_type == acc_ev_enqueue_upload_start;
    downloads += prof->event_type == acc_ev_enqueue_download_start;
}

static void end(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    printf(TEXT_OF(WORD) ": %d launches, %d uploads, %d downloads\n", launches, uploads, downloads);
    fflush(stdout);
}

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup)
{
    reg(acc_ev_enqueue_launch_start, count, acc_reg);
    reg(acc_ev_enqueue_upload_start, count, acc_reg);
    reg(acc_ev_enqueue_download_start, count, acc_reg);
    reg(acc_ev_runtime_shutdown, end, acc_reg);
}
