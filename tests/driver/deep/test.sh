# However deep a program is nested, it is compiled, or refused in words that are about the program.

program() {
    python3 generate.py "$1" "$2" "$3" >deep.c
}

# Outside of regions: as deep as the host compiler takes it.
while read -r kind levels; do
    program "$kind" "$levels" out
    timeout 200 "$ACCL" cc deep.c -o deep 2>messages.txt || fail "$kind $levels: $(head -5 messages.txt)"
    runs_on_device ./deep
done <<'KINDS'
else_if 60
else_if 2000
sum 100000
parentheses 20000
casts 3000
blocks 20000
cases 3000
KINDS

# In a region: sensible depths work, and no pass takes time that doubles with each level.
while read -r kind levels; do
    program "$kind" "$levels" in
    timeout 100 "$ACCL" cc deep.c -o deep 2>messages.txt || fail "$kind $levels: $(head -5 messages.txt)"
    runs_on_device ./deep
    [ ! -s messages.txt ] || fail "$kind $levels: $(cat messages.txt)"
done <<'KINDS'
else_if 200
sum 1000
conditionals 60
casts 60
calls 60
loops 20
cases 500
KINDS

# Brackets that OpenCL compilers refuse are said when the program is compiled; the other devices run it.
program right 400 in
"$ACCL" cc deep.c -o deep 2>messages.txt
contains messages.txt "OpenCL compilers refuse"
runs_on_device ./deep

# Beyond what is sensible the declaration is named.
program right 20000 in
expect 1 timeout 200 "$ACCL" cc deep.c -o deep 2>messages.txt
contains messages.txt "error[ACCL0240]"

# In a directive.
echo "int main(void) { int n = 1;
#pragma acc parallel num_gangs($(printf '(%.0s' {1..5000})n$(printf ')%.0s' {1..5000}))
{ }
}" >deep.c
expect 1 "$ACCL" cc deep.c -o deep 2>messages.txt
contains messages.txt "error[ACCL01"

# Where clang gives up, its words are shown.
echo 'template <int n> struct A { static const int v = A<n - 1>::v; };
template <> struct A<0> { static const int v = 0; };
int main()
{
    int s = A<5000>::v;
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < 10; i++)
        s += i;
    return s != 45;
}' >deep.cpp
expect 1 "$ACCL" c++ deep.cpp -o deep 2>messages.txt
contains messages.txt "recursive template instantiation exceeded maximum depth"
"$ACCL" c++ -ftemplate-depth=6000 deep.cpp -o deep
runs_on_device ./deep
