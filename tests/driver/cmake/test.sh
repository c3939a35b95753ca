# A CMake project of C and C++, with a static library; CMake must know the compiler.
cmake -S . -B build -DCMAKE_C_COMPILER="$(command -v acclcc)" -DCMAKE_CXX_COMPILER="$(command -v acclc++)" \
    -DCMAKE_BUILD_TYPE=Release >cmake.log 2>&1 || {
    cat cmake.log >&2
    fail "cmake cannot configure"
}
grep -qE "C is (Clang|GNU) [0-9]+" cmake.log || fail "CMake does not know the compiler"
cmake --build build >build.log 2>&1 || {
    cat build.log >&2
    fail "cmake cannot build"
}
runs_on_device build/program
