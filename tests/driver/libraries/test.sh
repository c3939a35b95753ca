# Static and shared libraries whose main program holds no directives, and is linked by the host compiler's rules.
"$ACCL" cc -c part.c
ar rcs libpart.a part.o
"$ACCL" cc main.c -L. -lpart -o static
runs_on_device ./static

"$ACCL" cc -fPIC -shared part.c -o libshared.so
"$ACCL" cc main.c -L. -lshared -Wl,-rpath,"$PWD" -o dynamic
runs_on_device ./dynamic

# The host compiler links the library's users without knowing of accl.
gcc main.c -L. -lshared -Wl,-rpath,"$PWD" -o plain
runs_on_device ./plain

# With the shared runtime, several libraries share it.
"$ACCL" cc --shared-runtime -fPIC -shared part.c -o libshared.so
"$ACCL" cc --shared-runtime main.c -L. -lshared -Wl,-rpath,"$PWD" -o dynamic
runs_on_device ./dynamic
