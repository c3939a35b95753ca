//! Codes of the front end; see the parent module for how to add one.

codes! {
    NOT_IMPLEMENTED = "ACCL0201", "not implemented yet",
        "The directive or clause is valid and was understood, but this version of the compiler does not act on it. It is refused rather than ignored, because the program might give other results than it says.";
    NOTHING_FOLLOWS = "ACCL0202", "nothing follows the directive",
        "The directive governs the statement behind it, a for loop in the case of loop directives, but the block ends there or another directive stands there.";
    EXPECTED_LOOP = "ACCL0203", "expected a for loop",
        "A loop directive, or the loop part of a combined one, governs a for loop, which must be the next statement.";
    MISPLACED = "ACCL0204", "directive in the wrong place",
        "The directive stands where no statement may stand, or where the specification does not allow it: outside any function, outside a compute construct, inside a lambda, or as the whole body of a loop or conditional.";
    UNKNOWN_NAME = "ACCL0205", "unknown name in a clause",
        "A name in a clause must be a variable, member or constant that is visible at the directive. The nearest name in scope is suggested.";
    BAD_CLAUSE_VARIABLE = "ACCL0206", "not possible in this clause",
        "The clause takes a whole variable, an array section, or an expression simple enough to be evaluated at the directive; what was written is something else.";
    MISSING_SECTION = "ACCL0207", "missing section",
        "A pointer in a data clause does not tell how much memory it points to. Write the section: p[first:number]. An array may stand without a section, its type tells its size.";
    POINTER_TO_POINTER = "ACCL0208", "array of pointers",
        "The rows of an array of pointers are separate pieces of memory, of which nothing tells how many there are and how long they are. A data clause does, a[0:n][0:m]: the rows are copied with the array, and the device's pointers made to point to the device's rows (OpenACC 3.3 section 2.7.1). One block of memory with computed subscripts, or a pointer to rows of an array type, is copied faster.";
    NOT_CANONICAL = "ACCL0209", "loop of a form that cannot be parallelised",
        "Iterations can be spread over threads only if their number is known before the first: an integer variable, a fixed bound and step, and a body that does not change them (OpenACC 3.3 section 2.9).";
    BRANCH_OUT = "ACCL0210", "jump out of a loop or region",
        "Iterations of a parallel loop run at the same time, and a region is left at its end only. A break, return or goto out of them has no meaning.";
    NOT_NESTED = "ACCL0211", "loops that cannot be joined",
        "The loops that collapse or tile join must stand directly in one another, with nothing between them, and the bounds of the inner ones must not depend on the variables of the outer ones.";
    UNSUPPORTED = "ACCL0212", "cannot be used in a compute region",
        "Device code has no counterpart of this part of the language. The rest of the function may use it; only compute regions and the functions they call may not.";
    UNUSABLE_TYPE = "ACCL0213", "type that device code cannot use",
        "A value of this type cannot be used on the device: packed or derived structures with bit-fields, classes with virtual bases, long double, and those classes of the C++ library that manage memory.";
    CALL = "ACCL0214", "function that cannot be called in a compute region",
        "A function that a compute region calls is compiled for the device, so its definition must be in the same file or a header, or in another file that is linked and marks it for devices (`routine`, `declare target`), and it may use only what device code can do. Functions of shared libraries cannot be called. Of the C library there are the mathematical functions, memset, memcpy and memmove, printf, puts and putchar, abort and assert.";
    REGION_IN_TEMPLATE = "ACCL0215", "construct in a template",
        "The text of a template stands for many functions, each of which would need kernels of its own. Put the construct into a function that is no template; calling templates from a region is fine.";
    REDUCTION_TYPE = "ACCL0216", "type that cannot be reduced",
        "A reduction variable is a scalar of arithmetic type; the bitwise operators need an integer (OpenACC 3.3 section 2.5.15).";
    ATOMIC_FORM = "ACCL0217", "statement that cannot be atomic",
        "An atomic directive governs one read, write, update or capture of one scalar, in one of the forms of OpenACC 3.3 section 2.12.";
    ROUTINE_TARGET = "ACCL0218", "no function for the routine directive",
        "A routine directive names a function, or stands directly in front of its declaration or definition (OpenACC 3.3 section 2.15.1).";
    NESTED_REGION = "ACCL0219", "host directive in a compute region",
        "Compute constructs do not nest, and data directives, updates and waits are for the host: none of them can stand inside a compute construct or in a function that one calls.";
    GOTO = "ACCL0220", "a goto in a compute region that device code cannot have",
        "Device code is structured: loops, conditionals, break and continue. A goto is carried over where it leads to a label in a list of statements around it: forward over statements, out of loops and switches, or back. Not into blocks, nor where jumps cross each other, nor out of a statement with a directive, nor back over one.";
    WINDOW = "ACCL0224", "malformed window",
        "The fcw directive names, for each dimension of an array, a pivot and how many elements before and after it an iteration uses. The pivot is an integer expression; the other two are constants, because they decide how much shared memory a block has.";
    SECTION_BOUNDS = "ACCL0221", "section outside its array",
        "The section reaches beyond the array, whose extent the declaration tells. The second number of a section is a length, not the last index: a[50:100] is a[50] to a[149] (OpenACC 3.3 section 2.7.1).";
    BAD_COMPRESSION = "ACCL0222", "array that cannot be compressed like this",
        "Compression (an extension) stores the elements of arrays of float or double in fewer bits. The width is a constant from 4 bits up to those of the mantissa, 23 for float and 52 for double; a bound on the error chooses it in its place. See docs/guide-compression.md.";
    RANGE_NEEDED = "ACCL0223", "range of a compressed array is missing",
        "The elements of a compressed array are spread over a range of values. Where the array is copied in, the runtime finds the range in the data; what is created on the device, copied out only, or written by kernels needs it from you: a[start:length:min:max]. The tighter it is, the more exact are the values; those outside are set to its ends.";
    PRINTED = "ACCL0241", "cannot be printed in a compute region",
        "printf, puts and putchar in a compute region print to the standard output on every device: numbers and characters by the conversions d i o u x X c a e f g p with any length but L, constant width and precision, and string literals. The format, too, is a string literal. Iterations that run in parallel print in any order.";
    IGNORED = "ACCL0242", "clause without effect here",
        "The directive was understood, and this part of it changes nothing that a program could rely on: OpenACC lets a compiler leave it out. The note says why it makes no difference.";
    LOOP_BY_DEVICE = "ACCL0243", "loop mapped alike for all types of device",
        "Behind device_type a loop is given other levels, or is sequential, for some types of device only. One mapping serves all devices here, the one for nvidia: results are the same, since a loop whose iterations are independent on one device is so on the others. Sizes (num_gangs, vector(n) and their like), async and wait do differ.";
    STATIC_GANGS = "ACCL0244", "iterations are dealt to gangs in another way",
        "gang(static: n) says which gang runs which iterations, so that several loops of one construct can rely on it. Here loops that begin and step alike are dealt alike, whatever n is; where a loop would use what another gang wrote otherwise, the construct is split into several launches, or a warning (ACCL0540) names the two references.";
    GANG_DIMENSION = "ACCL0245", "gangs of several dimensions",
        "num_gangs with several numbers and gang(dim: d) arrange gangs in up to three dimensions. A nest of such loops is joined and its iterations are spread over all gangs. A loop that names fewer dimensions than the construct has would be repeated by the gangs of the others: here each of its iterations is run once.";
    NOHOST = "ACCL0246", "function for devices called on the host",
        "A routine directive with nohost says that the function is not to be compiled for the host, and the host program calls it. It is compiled all the same and the call works; other compilers will not link the program.";
    OPENMP_TARGET = "ACCL0247", "OpenMP offloading is not compiled",
        "Device constructs of OpenMP (target, teams, declare target and their like) stand in a file that is compiled without -fopenmp: their code runs on the host. Compile with -fopenmp to have kernels made of them. Directives of OpenACC in the same file are not concerned.";
    IN_ORDER = "ACCL0248", "construct of OpenMP that one thread runs",
        "The construct holds what threads of a device cannot do side by side, or what is translated for one thread only: `critical` and `ordered` parts, dependences between iterations, scans, locks, `linear` variables, reductions that the program declares inside a function, those of arrays whose elements cannot be updated atomically, iterators that are objects. The result is right, and slow. The warning names the reason. What `atomic` or a reduction of scalars or arrays can do is done by all threads.";
    ON_HOST = "ACCL0249", "construct that the host runs",
        "The construct, or a function that it calls, holds something that cannot be translated for a device; the message says what, and the note where more is said of it. The program is right: the host runs the construct, in one thread. On a device with memory of its own the runtime first gives the host the device's contents of everything that is present, and takes back what the construct wrote there, so results are the same, and slow. OMP_TARGET_OFFLOAD=mandatory refuses to run it, and -Werror to compile it.";
    CUDA_PRAGMA = "ACCL0261", "directive of OpenMPC that cannot be followed",
        "`#pragma cuda` directives (-fopenmpc) stand before the directive of a parallel region or of a loop in one, or in the file of -fopenmpc-directives=FILE, a line `procname kernelid: directive` for each: `gpurun` with the clauses of paper 002's tables 2 to 4, `cpurun`, `nogpurun`, `ainfo procname(f) kernelid(n)`. The kernels of a function are its work-shared loops, from 0. Clauses that contradict each other, unknown names, variables that the region does not use and functions that do not exist are errors. docs/guide-openmpc.md says what each clause means.";
    NOT_READ = "ACCL0262", "text that clang does not accept",
        "With -fopenmpc the loops of parallel regions go to the device, for which clang has to read the file. The host compiler accepts more than clang: nested functions, built-in functions of its own. A function without directives in which such things stand, and which uses no variables or functions of the file, is passed over; where more of the text is concerned, all regions stay with the host's threads, as this warning says. The program is right. Keep such text in a file of its own.";
    UNRESOLVED = "ACCL0260", "directive that stands for others, or chooses, and cannot be read",
        "metadirective, declare variant, dispatch, interop and error of OpenMP are settled before the program is compiled: the directive or function that fits its place is put there. This one has a mistake, or asks for something that is not implemented; nothing was chosen.";
    TOO_DEEP = "ACCL0240", "nested too deeply",
        "Statements, conditionals in one another or one behind the other (else if), or the operators of one expression are nested more deeply than the compiler reads them in functions with directives, and in those that compute regions call. Split the function or the expression; what no region needs may be as deep as the host compiler takes it.";
}
