# OpenMP's device routines are the runtime's, wherever the command names the host compiler's OpenMP library.
ACCL_HOST_COMPILER=gcc
export ACCL_HOST_COMPILER
library=$(gcc -print-file-name=libgomp.so)
"$ACCL" cc -fopenmp -c main.c
"$ACCL" cc -fopenmp main.o -o last
runs_on_device ./last
# As CMake's FindOpenMP does.
"$ACCL" cc main.o "$library" -o named
runs_on_device ./named
"$ACCL" cc "$library" -lgomp main.o -o first
runs_on_device ./first
"$ACCL" cc --shared-runtime -fopenmp main.o -o shared
runs_on_device ./shared
"$ACCL" cc --shared-runtime main.o "$library" -o shared_named
runs_on_device ./shared_named
# The archive has these routines beside others that it needs.
"$ACCL" cc -fopenmp -static main.c -o fixed 2>messages.txt || fail "said $(cat messages.txt)"
runs_on_device ./fixed
"$ACCL" cc -fopenmp -static main.o -lgomp -o fixed_named 2>messages.txt || fail "said $(cat messages.txt)"
runs_on_device ./fixed_named
# Constructs that the compiler does not take as the host's have one thread there, which is said.
"$ACCL" cc -fopenmp refused.c -o refused 2>messages.txt
grep -q "where the host runs such a construct, one thread does" messages.txt || fail "said $(cat messages.txt)"
./refused
