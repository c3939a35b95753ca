//! Codes of the driver; see the parent module for how to add one.

codes! {
    CANNOT_READ = "ACCL0001", "file cannot be read",
        "A file named on the command line could not be opened or read. Check its path and permissions.";
    NO_CLANG = "ACCL0002", "no usable clang",
        "Acclimate runs clang (14 or later) to preprocess and analyse C and C++. None was found on PATH. Install one, or set ACCL_CLANG to its path.";
    HOST_COMPILER_FAILED = "ACCL0003", "the host compiler failed",
        "The compiler that builds the host part of the program reported an error. Its own messages stand above; errors in your own code are shown at your own lines.";
    INTERNAL = "ACCL0099", "internal compiler error",
        "The compiler broke one of its own rules. This is a bug of ours, not of your program: please report it with the source that shows it.";
}
