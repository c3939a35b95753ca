# Libraries of the profiling interface that ACC_PROFLIB names are told of the program's events; the program knows nothing of them.
"$ACCL" cc -fPIC -shared tool.c -o libtool.so
"$ACCL" cc -fPIC -shared -DWORD=second tool.c -o libsecond.so
"$ACCL" cc main.c -o main
runs_on_device ./main
ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACC_PROFLIB="$PWD/libtool.so;$PWD/libsecond.so" ./main >told
contains told "tool: 2 launches, 1 uploads, 1 downloads"
contains told "second: 2 launches, 1 uploads, 1 downloads"
