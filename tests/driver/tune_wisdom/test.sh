# What is the fastest at each size is kept beside the program, and its launches go by that.
export ACC_DEVICE_TYPE=opencl
"$ACCL" cc -O1 program.c -o untuned
./untuned 300000 >wanted
"$ACCL" tune program.c -O1 -o tuned --wisdom --evaluations 4 -- 300000 >said
contains said "scale_6 at 2^18 iterations: "
contains said "scale_6 at 2^14 iterations: "
contains said "tuned.wisdom has 2 entries, which launches go by"
[ "$(head -1 tuned.wisdom)" = "acclimate wisdom 2" ] || fail "the file has its title"
./tuned 300000 | cmp - wanted

# An entry is for its size class and those that are near it. Which variant was the fastest here is no matter: another one is written in.
code=$(sed -n 2p tuned.wisdom | cut -f 1)
device=$(sed -n 2p tuned.wisdom | cut -f 2)
entry() { printf '%s\t%s\tscale_6\t%s\t%s\t1e-3\t2e-3\n' "$1" "$device" "$2" "$3"; }
{ echo "acclimate wisdom 2" && entry "$code" 18 plain && entry "$code" 10 wide; } >tuned.wisdom
ACCL_NOTIFY=1 ./tuned 300000 2>said | cmp - wanted
contains said "wisdom  file=program.c function=scale line=6 device=0 threadid=1 variant=plain class=18 launch_class=18"
[ "$(grep -c 'variant=plain$' said)" = 1 ] || fail "one launch is near 2^18"
contains said "variant=wide"
ACCL_WISDOM=0 ACCL_NOTIFY=1 ./tuned 300000 2>said | cmp - wanted
! grep -q variant=plain said || fail "nobody goes by it"

# Entries of other code, of a variant that is not there, files that are cut off, newer, or something else have no effect.
{ echo "acclimate wisdom 2" && entry 0123456789abcdef 18 plain && entry "$code" 18 c77; } >other
ACCL_WISDOM=other ACCL_NOTIFY=1 ./tuned 300000 2>said | cmp - wanted
! grep -q -e wisdom -e plain said || fail "entries of other code have no effect"
{ echo "acclimate wisdom 2" && entry "$code" 18 plain && entry "$code" 10 wide | head -c 30; } >cut
ACCL_WISDOM=cut ACCL_NOTIFY=1 ./tuned 300000 2>said | cmp - wanted
contains said "accl: warning: cut: line 3 cannot be read, and has no effect: is the file cut off?"
contains said "variant=plain"
echo "acclimate wisdom 3" >newer
ACCL_WISDOM=newer ./tuned 300000 2>said | cmp - wanted
contains said "newer: it was written by a newer version (3, this one reads 2) and has no effect"
printf 'acclimate wisdom 1\n%s\t%s\tscale\t6\t18\tplain\t1e-3\t2e-3\n' "$code" "$device" >older
ACCL_WISDOM=older ACCL_NOTIFY=1 ./tuned 300000 2>said | cmp - wanted
contains said "older: it was written by an older version (1, this one reads 2) and has no effect: \`accl tune --wisdom\` writes it anew"
! grep -q variant=plain said || fail "entries of an older version have no effect"
ACCL_WISDOM=program.c ./tuned 300000 2>said | cmp - wanted
contains said "program.c: this is no file of wisdom"
ACCL_WISDOM=nowhere ./tuned 300000 2>said | cmp - wanted
contains said "the wisdom in 'nowhere' cannot be read"
cp newer tuned.wisdom
expect 1 "$ACCL" tune program.c -O1 -o tuned --wisdom --evaluations 1 -- 300000 2>said
contains said "error[ACCL0023]: 'tuned.wisdom' was written by a newer version, or is no file of wisdom"
cmp newer tuned.wisdom

# In the user's data folder, for all programs.
rm tuned.wisdom
mkdir -p data/acclimate
{ echo "acclimate wisdom 2" && entry "$code" 18 plain; } >data/acclimate/wisdom
XDG_DATA_HOME=$PWD/data ACCL_NOTIFY=1 ./tuned 300000 2>said | cmp - wanted
contains said "variant=plain class=18"

# A file of an older version is written anew.
cp older tuned.wisdom
"$ACCL" tune program.c -O1 -o tuned --wisdom --evaluations 1 -- 300000 >said 2>noted
contains noted "accl: note: 'tuned.wisdom' was written by an older version, whose entries have no effect; it is written anew"
[ "$(head -1 tuned.wisdom)" = "acclimate wisdom 2" ] || fail "the file is of this version"
