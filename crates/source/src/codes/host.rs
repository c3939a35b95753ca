//! Codes of the host rewriter; see the parent module for how to add one.

codes! {
    NOT_PORTABLE = "ACCL0701", "program that cannot be written as a port",
        "accl translate replaces each directive and its statement in the text you wrote, so it must find them there: not in a header, not made by a macro with _Pragma, not divided by #if. What a port has no words for (several devices, attached pointers, the runtime's routines, address spaces of OpenCL) is refused too, never left out. Change the program at the place shown, or compile it with accl cc.";
}
