//! Codes of the code generators; see the parent module for how to add one.

codes! {
    NOT_IN_THIS_LANGUAGE = "ACCL0601", "a device's language cannot say this",
        "The construct has no equivalent in the language of one kind of device (OpenCL C, CUDA C++ or C). The program is compiled without code for that kind and runs on the others; -acc=cuda,opencl,cpu names those you want.";
}
