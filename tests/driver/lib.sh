# What every test has. Sourced by bash -eu -o pipefail.

# Says what was wanted, and fails.
fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# expect WANTED COMMAND...: the command's exit code.
expect() {
    local wanted=$1 code=0
    shift
    "$@" || code=$?
    [ "$code" = "$wanted" ] || fail "exit code $code, wanted $wanted: $*"
}

# contains FILE TEXT: the file has the text.
contains() {
    grep -qF -- "$2" "$1" || {
        cat "$1" >&2
        fail "'$2' is not in $1"
    }
}

# runs_on_device PROGRAM [ARGS]: it succeeds on the cpu device, with at least one launch.
runs_on_device() {
    ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=1 "$@" 2>notify.log || {
        cat notify.log >&2
        fail "$* failed"
    }
    grep -q '^launch ' notify.log || fail "$* launched nothing"
}
