# Several devices of one process, two of PoCL's: each host thread has its own, and data goes from one to the other.
"$ACCL" cc heat.c -o heat -lm -lpthread
ACC_DEVICE_TYPE=opencl POCL_DEVICES="pthread pthread" ACCL_NOTIFY=1 ./heat 2>notify.log || fail "$(cat notify.log)"
for device in 0 1; do
    grep -q "^launch .* device=$device " notify.log || fail "device $device launched nothing"
done
