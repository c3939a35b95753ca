# What is written, where, and what is not.
"$ACCL" cc -c a.c
[ -f a.o ] || fail "a.o is missing"
"$ACCL" cc -c a.c -o named.o -MD -MF named.dep -MT target
contains named.dep "target: a.c"
"$ACCL" cc -c a.c -o beside.o -MMD
contains beside.d "beside.o: a.c"
"$ACCL" cc -M a.c >deps
contains deps "a.o: a.c"

# Failing leaves nothing.
before=$(ls -A)
expect 1 "$ACCL" cc -c broken.c -o broken.o -MD 2>errors
rm errors
[ "$before" = "$(ls -A)" ] || fail "files were left: $(ls -A)"
expect 1 "$ACCL" cc a.c broken.c -o program 2>/dev/null
[ ! -e program ] && [ ! -e broken.o ] || fail "outputs of a failed command"

# Intermediate files, on demand.
"$ACCL" cc -c a.c --keep kept
for file in a.cu a.cl a.kernels.c a.host.i; do
    [ -s kept/$file ] || fail "kept/$file is missing"
done

# The remarks, in each form.
"$ACCL" cc -c a.c --remarks=json 2>json
contains json '"function"'
"$ACCL" cc -c a.c -Rpass=openacc 2>rpass
contains rpass "a.c:3:"
contains rpass "[-Rpass=openacc]"
"$ACCL" cc -c a.c -fsave-optimization-record
[ -s a.accl.json ] || fail "no optimisation record"

# /dev/null stays what it is.
"$ACCL" cc -c a.c -o /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"

# Temporary folders go, also where the host compiler takes the command over.
mkdir temporary
"$ACCL" cc -c a.c -o plain.o
echo 'int main(void) { return 0; }' >plain.c
gcc -c plain.c -o main.o
TMPDIR=$PWD/temporary "$ACCL" cc main.o -o linked
TMPDIR=$PWD/temporary "$ACCL" cc -flto main.o -o linked
TMPDIR=$PWD/temporary "$ACCL" cc -E a.c >/dev/null
[ -z "$(ls -A temporary)" ] || fail "left behind: $(ls temporary)"
