// command: accl compile $FILE
// expect-exit: 2
