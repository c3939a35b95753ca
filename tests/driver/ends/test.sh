# However a program ends, it ends in peace: nothing is left to a device's library that is torn down already. PoCL
# compiles kernels at their first launch, in a thread of its own, where its cache has none: so each run has an empty one.

"$ACCL" cc in_flight.c -o in_flight
"$ACCL" c++ objects.cpp -o objects -pthread

ends() {
    local wanted=$1
    shift
    rm -rf caches
    mkdir caches
    POCL_CACHE_DIR=$PWD/caches ACCL_CACHE_DIR=$PWD/caches ACCL_CPU_MEMORY=separate expect "$wanted" timeout 60 "$@"
}

for device in cpu opencl; do
    export ACC_DEVICE_TYPE=$device
    [ "$device" = cpu ] || "$ACCL" devices | grep -qi opencl || continue
    for how in 0 1 2 3; do
        for again in 1 2 3; do
            ends 0 ./in_flight $how
        done
    done
    ends 134 ./in_flight 4 2>/dev/null
    ends 0 ./objects
    ends 0 ./objects by_thread
done
