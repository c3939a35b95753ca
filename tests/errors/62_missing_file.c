// command: accl cc -c no_such_file.c
