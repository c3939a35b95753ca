//! The environment variables of the compiler; those of compiled programs are [`accl_runtime::config::VARIABLES`].
//!
//! A test of [`crate::commands::reference`] compares both tables with the variables that the code asks for.

/// Each with what it does.
pub const VARIABLES: &[(&str, &str)] = &[
    ("ACCL_HOST_COMPILER", "the host compiler, where `--host-compiler` does not say; else the clang found"),
    ("ACCL_CLANG", "the clang that reads programs; else the first found on PATH"),
    ("ACCL_NVCC", "the nvcc that compiles device code ahead of time; else the one on PATH"),
    ("ACCL_RUNTIME_DIR", "the folder of the runtime's archive; else beside `accl`"),
    (
        "ACCL_TUNE",
        "a folder in which `accl tune -- COMMAND` has the compilers of a build say what they compile, and finds them options; not to be \
         set by hand",
    ),
    ("CC", "the C compiler of a build that `accl tune -- COMMAND` starts; accl where it does not name it"),
    ("CXX", "the C++ compiler, likewise"),
    ("ACC_DEVICE_NUM", "which device's energy `accl tune --objective energy` measures; 0 where not set"),
    ("CUDA_VISIBLE_DEVICES", "which of the machine's devices that number counts"),
    ("ACCL_LOG", "what the compiler logs of itself on standard error, such as `debug`"),
    ("PATH", "where compilers are looked for"),
    ("NO_COLOR", "set: messages have no colours"),
    ("COLUMNS", "the width of messages; 120 where not set"),
    ("RUST_BACKTRACE", "set: an error of the compiler's own shows where it came from"),
];
