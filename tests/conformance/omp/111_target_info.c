// What LIBOMPTARGET_INFO prints, in libomptarget's words.
// env: LIBOMPTARGET_INFO=63
// needs: separate
// expect: launches=1 uploads=2 downloads=2
// expect-stderr: ^omptarget device 0 info: Entering OpenMP data region with being_mapper at .*111_target_info.c:[0-9]+:1 with 3 arguments:$
// expect-stderr: ^omptarget device 0 info: alloc\(A\[0:64\]\)\[256\]$
// expect-stderr: ^omptarget device 0 info: tofrom\(B\[0:64\]\)\[256\]$
// expect-stderr: ^omptarget device 0 info: Creating new map entry with HstPtrBase=0x[0-9a-f]{16}, HstPtrBegin=0x[0-9a-f]{16}, TgtAllocBegin=0x[0-9a-f]{16}, TgtPtrBegin=0x[0-9a-f]{16}, Size=256, DynRefCount=1, HoldRefCount=0, Name=C\[0:64\]$
// expect-stderr: ^omptarget device 0 info: Copying data from host to device, HstPtr=0x[0-9a-f]{16}, TgtPtr=0x[0-9a-f]{16}, Size=256, Name=C\[0:64\]$
// expect-stderr: ^omptarget device 0 info: Entering OpenMP kernel at .*111_target_info.c:[0-9]+:1 with 2 arguments:$
// expect-stderr: ^omptarget device 0 info: Mapping exists \(implicit\) with HstPtrBegin=0x[0-9a-f]{16}, TgtPtrBegin=0x[0-9a-f]{16}, Size=256, DynRefCount=2 \(incremented\), HoldRefCount=0, Name=C\[0:64\]$
// expect-stderr: ^omptarget device 0 info: Launching kernel __omp_offloading_main_l[0-9]+ with [0-9]+ blocks and [0-9]+ threads in SPMD mode$
// expect-stderr: ^omptarget device 0 info: Updating OpenMP data at .*111_target_info.c:[0-9]+:1 with 1 arguments:$
// expect-stderr: ^omptarget device 0 info: Exiting OpenMP data region with end_mapper at .*111_target_info.c:[0-9]+:1 with 3 arguments:$
// expect-stderr: ^omptarget device 0 info: Copying data from device to host, TgtPtr=0x[0-9a-f]{16}, HstPtr=0x[0-9a-f]{16}, Size=256, Name=B\[0:64\]$
// expect-stderr: ^omptarget device 0 info: Removing map entry with HstPtrBegin=0x[0-9a-f]{16}, TgtPtrBegin=0x[0-9a-f]{16}, Size=256, Name=A\[0:64\]$
// expect-stderr: ^omptarget device 0 info: OpenMP Host-Device pointer mappings after block at .*111_target_info.c:[0-9]+:1:$
// expect-stderr: ^omptarget device 0 info: Host Ptr           Target Ptr         Size \(B\) DynRefCount HoldRefCount Declaration$
// expect-stderr: ^omptarget device 0 info: 0x[0-9a-f]{16} 0x[0-9a-f]{16} 256      1           0            C\[0:64\] at unknown:0:0$
#include "../check.h"

#define N 64

int main(void)
{
    int A[N], B[N], C[N];
    for (int i = 0; i < N; i++) {
        A[i] = B[i] = C[i] = i;
    }
#pragma omp target data map(alloc : A[0 : N]) map(tofrom : B[0 : N]) map(to : C[0 : N])
    {
#pragma omp target
        for (int i = 0; i < N; i++) {
            B[i] += C[i];
        }
#pragma omp target update from(B)
    }
    check_int("B", 9, B[9], 18);
    check_int("A", 9, A[9], 9);
    return finish();
}
