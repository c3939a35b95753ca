//! Codes of the driver; see the parent module for how to add one.

codes! {
    CANNOT_READ = "ACCL0001", "file cannot be read",
        "A file named on the command line could not be opened or read. Check its path and permissions.";
    NO_CLANG = "ACCL0002", "no usable clang",
        "Acclimate runs clang (14 or later) to preprocess and analyse C and C++. None was found on PATH. Install one, or set ACCL_CLANG to its path.";
    HOST_COMPILER_FAILED = "ACCL0003", "the host compiler failed",
        "The compiler that builds the host part of the program reported an error. Its own messages stand above; errors in your own code are shown at your own lines.";
    TUNE_FAILS = "ACCL0020", "the program to tune fails",
        "`accl tune` runs the program as it is before it measures anything. The program did not compile, ended with an error or a signal, or did not end. Try the same arguments without tuning.";
    TUNE_DIFFERS = "ACCL0021", "the program to tune prints something else in each run",
        "Tuning keeps only what gives the same output. Two runs of the untuned program gave different ones, so nothing can be compared. Lines with times are left out with `--ignore TEXT`; numbers that may differ a little are allowed by `--tolerance`; results in a file are compared with `--compare FILE`.";
    TUNE_NOTHING = "ACCL0022", "nothing to tune",
        "There is no kernel whose schedule could be chosen: the program has no compute construct with a loop on the device, launched none of them, all of them have a schedule of the user's, or it ran on the cpu device, which has none. ACC_DEVICE_TYPE=cuda or opencl chooses another device.";
    TUNE_RESULTS = "ACCL0023", "the file of results cannot be used",
        "The measurements of a search are kept in a file, by default beside the executable. It is in use by another `accl tune`, was written by a newer version, holds something else, or cannot be written. `--results FILE` names another one; what was measured until then is kept.";
    TUNE_SETUP = "ACCL0024", "the setup of a search is wrong",
        "The file of `--setup` has a line that is none of `exclude`, `approve`, `range` and `NAME = VALUES`, or a name that is no parameter; or the program of `--engine` cannot be run. `accl tune --extract FILE` lists the parameters of a program, and docs/guide-tuning.md the names of OpenMPC's.";
    INTERNAL = "ACCL0099", "internal compiler error",
        "The compiler broke one of its own rules. This is a bug of ours, not of your program: please report it with the source that shows it.";
}
