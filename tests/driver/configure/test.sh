# configure scripts find a compiler that works, its headers and functions.
autoconf
./configure CC="$ACCL cc" >configure.log 2>&1 || {
    cat configure.log config.log >&2
    fail "configure"
}
contains configure.log "checking whether the C compiler works... yes"
contains configure.log "checking for openacc.h... yes"
contains configure.log "checking for clock_gettime... yes"
make
runs_on_device ./program
