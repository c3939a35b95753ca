# quietly COMMAND...: it succeeds, or what it said is shown.
quietly() {
    "$@" >quiet.log 2>&1 || {
        cat quiet.log >&2
        fail "$*"
    }
}

# on_devices PROGRAM: it is right on the cpu and on PoCL, and launches a kernel there.
on_devices() {
    for device in cpu opencl; do
        ACC_DEVICE_TYPE=$device ACCL_NOTIFY=1 "$1" 2>notify.log || {
            cat notify.log >&2
            fail "$1 failed on $device"
        }
        grep -q '^launch ' notify.log || fail "$1 launched nothing on $device"
    done
}

bin=$(dirname "$(command -v accl)")
prefix=$(dirname "$bin")
[ "$prefix" = "$PREFIX" ] || fail "accl is of $prefix, not of $PREFIX"
! command -v cargo || fail "Rust is on PATH"

# A command line, and nothing of the place where accl was built.
cp sum.cpp copy.cpp
accl c++ -v main.c copy.cpp -o program >verbose.log 2>&1 || fail "$(tail verbose.log)"
! grep -F "$CHECKOUT" verbose.log || fail "it looks into $CHECKOUT"
on_devices ./program

# make
rm program
quietly make CC=acclcc CXX=acclc++
on_devices ./program

# CMake, whose compiler it is; and CMake, which finds it. CMake's FindOpenACC tries no options of a clang.
quietly cmake -S . -B build -DCMAKE_C_COMPILER=acclcc -DCMAKE_CXX_COMPILER=acclc++ \
    -DOpenACC_C_FLAGS=-fopenacc -DOpenACC_CXX_FLAGS=-fopenacc
quietly cmake --build build
on_devices build/program
quietly cmake -S found -B build-found
quietly cmake --build build-found
on_devices build-found/program
on_devices build-found/whole

# pkg-config, and the runtime that several libraries share
accl c++ -c sum.cpp
export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
if command -v pkg-config; then
    quietly g++ main.c sum.o $(pkg-config --cflags --libs acclimate) -o packaged
    on_devices ./packaged
fi
quietly accl c++ --shared-runtime main.c sum.cpp -o shared
on_devices ./shared

# What one reads
for page in accl accl-cc acclcc acclc++ accl-translate; do
    [ -s "$PREFIX/share/man/man1/$page.1" ] || fail "no manual page of $page"
done
bash -n "$PREFIX/share/bash-completion/completions/accl"
contains "$PREFIX/share/zsh/site-functions/_accl" "translate"
contains "$PREFIX/share/fish/vendor_completions.d/accl.fish" "translate"
