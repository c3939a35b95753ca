//! Codes of the code generators; see the parent module for how to add one.

codes! {
    NOT_IN_THIS_LANGUAGE = "ACCL0601", "a device's language cannot say this",
        "The construct has no equivalent in the language of one kind of device (OpenCL C, CUDA C++ or C). The kernel has no code for that kind; where the program runs on such a device, the cpu runs the kernel with the device's contents of what is present, and a warning says so once. -acc=cuda,opencl,cpu names the kinds you want.";
}
