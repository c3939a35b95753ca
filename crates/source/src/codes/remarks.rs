//! Identifiers of remarks. The messages that carry them keep nvc's wording, which stands here in
//! quotes.

codes! {
    GENERATING_CODE = "ACCL-R0001", "device code was generated",
        "\"Generating NVIDIA GPU code\": the region at this line became a kernel. The lines beneath say how each of its loops was mapped to gangs (blockIdx), workers and vector lanes (threadIdx).";
    LOOP_SCHEDULE = "ACCL-R0002", "the schedule of a loop",
        "\"#pragma acc loop gang, vector(128)\": the levels of parallelism the loop at this line runs on, as if that directive had been written, and the CUDA names of those levels.";
    PARALLELIZABLE = "ACCL-R0003", "a loop is parallelizable",
        "\"Loop is parallelizable\": no iteration depends on another, by proof or by the programmer's word (independent). \"where arrays do not overlap\": nothing but that could make iterations of a kernels loop depend on each other. Each launch tests it by the data that is present, and takes a version that runs one iteration after the other where arrays overlap, or where their extents are not known (deviceptr).";
    NOT_PARALLELIZED = "ACCL-R0004", "a loop carries a dependence",
        "\"Loop carried dependence of a prevents parallelization\": an iteration may read or write what another writes. Both references are named. If they never meet, say so with restrict on the pointers or independent on the loop.";
    GENERATING_REDUCTION = "ACCL-R0005", "a reduction was generated",
        "\"Generating implicit reduction(+:sum)\": the variable is accumulated over the iterations of a parallel loop. Each lane keeps a private copy, and the copies are combined at the end; with floating point the order of the operations, and so the last digits, can change.";
    DATA_MOVEMENT = "ACCL-R0006", "data is moved because a clause says so",
        "\"Generating copyin(a[:n])\": a data clause at this line moves the array, unless it is present already.";
    IMPLICIT_DATA = "ACCL-R0007", "data is moved though no clause says so",
        "\"Generating implicit copyin(a[:n])\": the region uses the array and no data clause names it, so the standard's default applies (OpenACC 3.3 section 2.6.2). Name it in a data region around the regions that use it, or write default(present) to be told of each one.";
    SEQUENTIAL_LOOP = "ACCL-R0008", "a loop runs sequentially",
        "\"Loop is run sequentially\": each thread that meets the loop runs all its iterations, either because seq says so or because nothing would be gained.";
    TRANSFORMED = "ACCL-R0009", "a transform ran",
        "An optimisation changed the loops or the data at this line. The message names it and its parameters.";
    NOT_TRANSFORMED = "ACCL-R0010", "a transform did not run",
        "An optimisation applied to the code at this line but was not legal or not worth while. The message gives the reason and, where there is one, the change that would enable it.";
    GANGS_MEET = "ACCL-R0020", "a parallel construct is run as a kernels construct",
        "\"Gangs use what others write to a\": gangs of a parallel construct do not wait for each other, but a loop of it uses what another one, or an earlier turn of a sequential loop around, writes in other iterations. The construct is therefore run as a kernels construct: each loop is a launch, and the launches follow one another.";
    SCHEDULE = "ACCL-R0021", "the schedule of a variant",
        "\"Schedule wide: grid(i:x) block(256) vectorize(4)\": the steps by which one variant of the kernel is mapped to a GPU, with the variant's name (ACCL_VARIANT) and what a launch must hold for it. Launches take the first that holds. The steps can be written before the loop's directive: #pragma accl schedule(...).";
    STEPS = "ACCL-R0022", "the steps that apply to a kernel",
        "What `accl explain --schedules` lists: for each step of schedules the parameters that it may have for this kernel, the first being the usual one, with what the cost model says of an iteration then; or why the step does not apply. Then what each of the kernel's variants is expected to cost.";
    INTERCHANGED = "ACCL-R0023", "loops are interchanged for the cpu",
        "\"On the cpu strips of 2048 iterations of j run inside the sequential loops\": a sequential loop in each iteration of j would go through memory with a stride, such as down a column, while neighbouring iterations access neighbouring elements. As many iterations as the first-level cache holds the sums of therefore run side by side, innermost. Each iteration does what it did, in the same order.";
    COLUMN_MAJOR = "ACCL-R0024", "an array is stored by columns",
        "\"xx is stored by columns on GPUs: neighbouring threads use rows of 64 elements\": the array is the device's alone (create), and each iteration of a parallel loop works on a row of it, xx[k*64 + i]. Neighbouring threads would touch elements a whole row apart. Where the array's bytes are a multiple of a row's, a GPU therefore stores it in column-major order, the same elements of neighbouring rows side by side. An update, host_data, or a kernel that uses the array in another way brings it into the usual order first, which takes two transfers.";
    ON_HOST = "ACCL-R0025", "a construct runs on the host",
        "\"Construct runs on the host\": it holds something that cannot be translated for a device, which the message and the warning ACCL0249 name. ACCL_NOTIFY=1 shows each time the host runs it, and ACCL_TIME how long that took.";
    REGION_ON_DEVICE = "ACCL-R0030", "the loops of a parallel region run on the device",
        "\"Loops of the parallel region run on the device\" (-fopenmpc): the region was written for threads of a CPU. The host runs it as a team of one thread would, and each loop that the team would share is a kernel. The remarks about the loop say what became of it.";
    LOOPS_JOINED = "ACCL-R0033", "loops that threads share are joined",
        "\"The shared loop is joined with those of lines 38\" (-fopenmpc): neighbouring loops of one header exchange nothing between their iterations and are one kernel. \"Each iteration computes alpha\": the loop alone reads a scalar that would need a launch of its own. -gpu=nohostloops leaves both as they are written.";
    OPENMPC_SETTLED = "ACCL-R0032", "a clause of OpenMPC changes nothing here",
        "\"noreductionunroll has no effect\" (-fopenmpc): what the clause of #pragma cuda chooses is settled on a GPU of today, and the message says how. docs/guide-tuning.md lists all names of the paper.";
    REGION_ON_THREADS = "ACCL-R0031", "a parallel region runs on the host's threads",
        "\"Parallel region stays with the host's threads\" (-fopenmpc): the host's compiler translates the region as without -fopenmpc. The message says what is in the way, and in which line.";
    ROUTINE_CODE = "ACCL-R0011", "device code of a routine",
        "\"Generating acc routine seq\": the function can be called from device code at the named level of parallelism.";
    PRIVATE_STORAGE = "ACCL-R0012", "a private array",
        "The array is private to each iteration, gang or lane. The message says where it is kept (registers, shared memory, device memory) and its size.";
    COMPRESSED = "ACCL-R0013", "an array is compressed on the device",
        "\"a is compressed: range, 16 bits of 32\": the kernels of this construct decode each element they read of the array and encode each that they write (an extension). The scheme and the width of an element are named.";
    ANALYSIS_LIMIT = "ACCL-R0014", "dependence analysis ended early",
        "Whether two subscripts can name one element is an integer problem, and some of these take very long. The analysis of a loop compares a limited number of pairs and spends a limited number of operations on each; past that a pair counts as dependent and the loop as sequential. Where iterations share no element, independent says so and nothing needs to be proven.";
}
