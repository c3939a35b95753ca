// command: accl cc -O2 -o out
// expect-exit: 1
