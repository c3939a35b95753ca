//! The functions by which programs take and free memory, hand it to the system, and handle its faults. With `-gpu=autodata` the driver links
//! programs through the runtime's wrappers of them (`--wrap`); the runtime's archive has an object for each.

/// Of the C library.
pub const ALLOCATIONS: &[&str] =
    &["malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign"];

/// `operator new` and `operator delete`, in all forms.
pub const CXX: &[&str] = &[
    "_Znwm",
    "_Znam",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t",
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPvm",
    "_ZdaPvm",
    "_ZdlPvRKSt9nothrow_t",
    "_ZdaPvRKSt9nothrow_t",
    "_ZdlPvSt11align_val_t",
    "_ZdaPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
    "_ZdaPvmSt11align_val_t",
    "_ZdlPvSt11align_val_tRKSt9nothrow_t",
    "_ZdaPvSt11align_val_tRKSt9nothrow_t",
];

/// Functions that hand a buffer to the system, as they are and as `_FORTIFY_SOURCE` calls them.
pub const BUFFERS: &[&str] = &[
    "read",
    "write",
    "pread",
    "pwrite",
    "pread64",
    "pwrite64",
    "readv",
    "writev",
    "fread",
    "fwrite",
    "fgets",
    "recv",
    "send",
    "recvfrom",
    "sendto",
    "__read_chk",
    "__pread_chk",
    "__pread64_chk",
    "__fread_chk",
    "__fgets_chk",
    "__recv_chk",
    "__recvfrom_chk",
];

/// Functions that give a handler for a signal.
pub const HANDLERS: &[&str] = &["sigaction", "signal"];

pub fn of_c() -> impl Iterator<Item = &'static str> {
    [ALLOCATIONS, BUFFERS, HANDLERS].into_iter().flatten().copied()
}

pub fn all() -> impl Iterator<Item = &'static str> {
    [ALLOCATIONS, CXX, BUFFERS, HANDLERS].into_iter().flatten().copied()
}
