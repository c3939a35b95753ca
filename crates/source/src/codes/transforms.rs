//! Codes of the transforms; see the parent module for how to add one.

codes! {
    DEFAULT_NONE = "ACCL0501", "variable in no clause under default(none)",
        "With default(none) every variable that the construct uses must be named in a data, private, firstprivate or reduction clause of it or of a data construct around it (OpenACC 3.3 section 2.5.16). Loop variables are exempt.";
    NO_BODY = "ACCL0502", "called function has no body here",
        "A kernel calls a function for which no device code can be made: no file that is linked defines it for devices, or the files declare it differently. Put the definition into the file, e.g. in a header, or mark it by `routine` or `declare target` where it is defined.";
    RECURSION = "ACCL0503", "recursive routine",
        "A function that has to become part of the kernel calls itself, directly or through others. Functions become part of kernels where they have gang, worker or vector loops, or are given compressed arrays. Others may call themselves on CUDA and on the cpu; OpenCL C has no recursion.";
    CANNOT_INLINE = "ACCL0504", "routine cannot be inlined",
        "A routine with gang, worker or vector parallelism becomes part of the kernel that calls it. That needs a body without a return before its end.";
    UNSUPPORTED_TYPE = "ACCL0505", "type not usable in device code",
        "The construct uses a variable whose type kernels cannot use: a C++ container or a function pointer. Use the data it holds through a plain pointer taken before the construct.";
    LEVEL_ORDER = "ACCL0506", "levels of parallelism nested the wrong way",
        "A gang loop may not be inside a gang, worker or vector loop, a worker loop not inside a worker or vector loop, a vector loop not inside a vector loop (OpenACC 3.3 section 2.9).";
    WINDOW = "ACCL0510", "window that a block cannot keep",
        "The iterations of the parallel loops around an fcw statement that share a block of threads keep the union of their windows in shared memory. That needs windows that move with the loops in constant steps, loops inside that all iterations of a block run equally often, and room: 48 KiB a block.";
    BAD_NEST = "ACCL0507", "loops are not tightly nested",
        "collapse and tile join loops of which each but the last contains nothing but the next, and whose bounds do not change in the outer ones (OpenACC 3.3 section 2.9.1).";
    POINTER_CHANGED = "ACCL0515", "a pointer of the host is changed in a kernel",
        "The construct assigns to a pointer declared outside of it and also follows it. On the device the pointer is the address of the device's copy, which the host cannot take over, and which elements are used cannot be told. Declare a pointer inside the construct, or use subscripts.";
    COMPRESSED_USE = "ACCL0508", "use of a compressed array that is not possible",
        "The elements of a compressed array (an extension) are read and written one by one: reading decodes, writing encodes. There is no address to take, to hand to a function or to operate on atomically. Copy the element to a variable first, or leave the array plain.";
    COMPRESSED_INDIRECT = "ACCL0516", "a compressed array is reached through a pointer in device memory",
        "The kernel itself loads a pointer from device memory (t[k].x[i], a member of an element) and follows it to an array that a clause holds compressed (an extension). Such a pointer tells neither the format nor the numbers that decoding needs. An array that the kernel names, a variable or a member of one structure (s.x, this->x), is an argument of its own and is decoded: take the pointer on the host first, float *x = t[k].x, and use compression(x).";
    PRIVATE_SECTION = "ACCL0541", "private section that iterations cannot share",
        "private(p[a:n]) and firstprivate(p[a:n]) make what a pointer points to private (OpenACC 3.3 sections 2.5.13 and 2.5.14). How long that is only the launch knows, so no thread can have an array of its own for it. Where every iteration uses elements that no other one writes, all of them share one array that belongs to the construct alone, which is the same and costs nothing. Here two iterations use one element. Declare an array of constant length inside the loop, or make the section part of a larger array with a row for each iteration and name that in create().";
    GANGS_MEET = "ACCL0540", "gangs use each other's results",
        "Gangs of a parallel construct do not wait for each other (OpenACC 3.3 sections 2.5.1 and 2.9.2): what one loop of the construct writes, another loop of it, or the next turn of a sequential loop around, may use only where the same gang runs both iterations. The two references are named. Where no clause says how many gangs there are, the construct has one. Write a construct for each loop; `kernels` waits by itself.";
    TWO_SECTIONS = "ACCL0542", "one of several sections of a variable",
        "A data construct has several sections of a variable, which are pieces of device memory of their own, and a construct in it uses the variable without saying which piece. Where its subscripts lie between constants, or cover just what one clause names, the compiler finds it. Else name the section in a clause of the construct, present(a[0:n]), or one section in the data construct that covers all.";
    BAD_SCHEDULE = "ACCL0543", "a schedule that cannot be followed",
        "`#pragma accl schedule(...)` (an extension) and -gpu=schedule:FILE say by which steps a kernel is mapped to GPUs. Here one step does not apply to the kernel, has parameters that it cannot have, or contradicts another. The message names the step and the reason; `accl explain --schedules` lists for each kernel the steps that apply, with their parameters.";
    UNKNOWN_SECTION = "ACCL0544", "section that is not known",
        "accl translate --to openmp and --to openacc write data clauses for every construct. Which section of an array behind a pointer a construct uses is found from its subscripts and the bounds of its loops. Where a subscript is read from memory, say, nothing tells it: give the construct a data clause, or let it run on the host.";
    LOST_UPDATES = "ACCL0545", "updates of a scalar that are lost",
        "A scalar that no clause names is firstprivate in a target construct (OpenMP 5.2 section 5.1.1): the device has a copy of it, which ends with the construct. Here it is updated, and nothing in the construct reads what the updates come to, so the host's variable keeps its old value, with every compiler. Write map(tofrom: x), or reduction(+: x) on the loop.";
    COMPRESSION_MISMATCH = "ACCL0509", "compressed and plain clauses disagree",
        "A data construct around the compute construct says how the array is held on the device, and the compute construct must say the same: compression(a) for one that ccopyin and its like hold compressed, nothing for a plain one. Where the data clause is in another function or file, the runtime checks it at launch.";
    CARRIED = "ACCL0530", "loop that is called independent carries a dependence",
        "A loop directive in a parallel construct says that no iteration depends on another (OpenACC 3.3 section 2.9.6). Here one iteration after the other reads and writes the same element, so run in parallel they would race. A sum, product, maximum or the like is run as a reduction: the element is kept in a scalar meanwhile. Anything else is run sequentially. Where the directive has the clause independent the loop stays parallel. Write the scalar and its reduction clause yourself, or seq.";
}
