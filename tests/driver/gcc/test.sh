# gcc in the place of clang: it preprocesses and compiles the host program, as an option and by the environment.
"$ACCL" cc --host-compiler gcc -g -O2 -Wall -Werror -c main.c -o main.o
ACCL_HOST_COMPILER=gcc "$ACCL" c++ -g -O2 -std=c++17 -Wall -Werror -c norm.cpp -o norm.o
ACCL_HOST_COMPILER=gcc "$ACCL" c++ main.o norm.o -o program
runs_on_device ./program >out
contains out "4 103 610.906"

# The compiler that made them, and the user's lines for debuggers.
for object in main.o norm.o; do
    objdump --dwarf=info $object >info
    if grep -q 'clang version' info; then fail "clang compiled a part of $object"; fi
done
objdump --dwarf=decodedline main.o >lines
grep -q 'main.c *28' lines || fail "no line 28 in the line table"
"$ACCL" cc --host-compiler gcc -S main.c -o main.s
contains main.s "GCC: ("

# With cc's name, from make.
printf 'program: main.o norm.o\n\t$(CXX) -o $@ $^ -lm\nnorm.o: CXXFLAGS = -std=c++17\n' >Makefile
rm -f ./*.o program
ACCL_HOST_COMPILER=gcc make -s CC=acclcc CXX=acclc++ >make.log 2>&1 || { cat make.log; fail "make"; }
runs_on_device ./program >out

# Mistakes are told in gcc's words, about the user's lines.
sed 's/a\[i\] += by;/a[i] += bye;/' main.c >wrong.c
expect 1 "$ACCL" cc --host-compiler gcc -c wrong.c -o wrong.o 2>said
contains said "wrong.c:35:17: error: "

# A directive's too.
sed 's/num_gangs(GANGS \* 2)/num_gangs(GANGS * 2) copyin(nothing)/' main.c >wrong.c
expect 1 "$ACCL" cc --host-compiler gcc -c wrong.c -o wrong.o 2>said
contains said "wrong.c:33:"
contains said "nothing"

# Where clang cannot read the program it says so.
sed 's/^    printf/    int twice(int x) { return 2 * x; }\n    printf/' main.c >nested.c
expect 1 "$ACCL" cc --host-compiler gcc -c nested.c -o nested.o 2>said
contains said "accl: note: accl reads programs through clang"
