# A make project: separate compilation, dependency files, parallel make.
make -j2 CC="$ACCL cc"
runs_on_device ./program
contains scale.d "scale.o: scale.c scale.h"
# A header that changed makes what includes it again, and nothing when nothing changed.
make -q CC="$ACCL cc" || fail "make would do something again"
touch scale.h
make CC="$ACCL cc" | grep -c -- "-c -o" | grep -qx 3 || fail "not all three files were compiled again"
