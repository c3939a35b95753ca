/* accl_abi.h: what compiled programs and the runtime share.
 *
 * The compiler (crate `host`) emits constant tables of these structures and calls of the functions
 * below; the crate `runtime` implements them. `crates/abi/src/lib.rs` mirrors this file with
 * repr(C); a test compares the layouts. It is valid C99 and C++11. Sizes are in bytes.
 */
#ifndef ACCL_ABI_H
#define ACCL_ABI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define ACCL_ABI_VERSION 13u

/* ---- Places ------------------------------------------------------------------------------- */

/* The place of a directive in the user's source; named in logs, errors and the profile. */
typedef struct accl_site {
    const char *file;
    const char *function;
    const char *directive; /* its words without clauses: "parallel loop", "enter data", ... */
    int32_t line;
    int32_t end_line;      /* last line of the construct; = line for standalone directives */
} accl_site;

/* ---- Data --------------------------------------------------------------------------------- */

/* The action of a data clause (OpenACC 3.3 section 2.7). All but deviceptr look into the present
 * table first ("present_or" semantics). */
enum accl_data_kind {
    ACCL_COPY = 1,
    ACCL_COPYIN = 2,
    ACCL_COPYOUT = 3,
    ACCL_CREATE = 4,
    ACCL_NO_CREATE = 5,
    ACCL_PRESENT = 6,
    ACCL_DELETE = 7,
    ACCL_DEVICEPTR = 8,  /* `host` is already an address of the device */
    ACCL_ATTACH = 9,     /* `host` is the address of a pointer variable */
    ACCL_DETACH = 10,
    ACCL_UPDATE_SELF = 11,
    ACCL_UPDATE_DEVICE = 12,
    ACCL_USE_DEVICE = 13
};
enum accl_data_flags {
    ACCL_IMPLICIT = 1,     /* not written by the user */
    ACCL_ZERO = 2,         /* modifier zero of create/copyout */
    ACCL_READONLY = 4,     /* modifier readonly of copyin */
    ACCL_IF_PRESENT = 8,   /* update, host_data: absent data is no error */
    ACCL_FINALIZE = 16,    /* exit data: dynamic reference count becomes 0 */
    ACCL_ALWAYS_IN = 32,   /* values travel to the device even where the data is present */
    ACCL_PRIVATE = 64,     /* kernels get memory of the construct's own, which no table shows to others: private(p[a:n]),
                              firstprivate(p[a:n]). `base` is replaced between begin and end */
    ACCL_ADDRESS = 128,    /* with present: nothing is read or written there that the compiler knows of, and the address may
                              be the end of what is present */
    ACCL_DEEP = 256,       /* the section is an array of pointers; each of `dims` is a level behind it: `stride` bytes
                              from the pointer to the section, `count` bytes long, pointers again but for the last */
    ACCL_INDIRECT = 512,   /* implicit, and kernels dereference pointers that lie in it: it has to be present */
    ACCL_ALWAYS_OUT = 1024, /* values travel to the host even where the data stays present */
    ACCL_MUST_BE_PRESENT = 2048, /* absent data is an error, whatever the kind says of it */
    ACCL_KEEPS_ADDRESS = 4096, /* no_create: where the data is absent kernels get the address itself, which may be the device's */
    ACCL_TOGETHER = 16384, /* of a list: with the others of this base one stretch of device memory, from the first to the last */
    ACCL_PART = 32768,     /* of a construct, behind all others: part of another item, which ends before that one ends */
    ACCL_RESIDENT = 65536, /* implicit: the whole object that `base` points into stays on the device, and what is stale there or on
                              the host is found out at run time. copyin: kernels read it, copy: they write it, too, copyout: they
                              write all of the section and read none. `bytes` 0: the section is not known. Between begin and end the runtime owns
                              all members but the name */
    ACCL_OBJECT = 131072,  /* with resident: an object with static storage, or one of the thread's own, which base and bytes describe */
    ACCL_FOLLOWED = 262144, /* with resident: an array with pointers (`pointers` says where), which kernels do not write. They get a translated copy
                              of it, whose pointers lead to the device's copies of what the host's lead to. copy: kernels write there, copyin:
                              they read there */
    ACCL_FOLLOWED_WRITTEN = 524288, /* with followed: kernels may write what lies beside the pointers, in this array and those behind it */
    ACCL_ROWS_READ = 2097152, /* with followed_written: kernels only read what the pointers lead to */
    ACCL_ONE_PLACE = 1048576, /* one of several sections of a variable, all of which kernels reach from one address */
    ACCL_OPENMP = 8192     /* the directive is OpenMP's: present data has one reference count, which ACCL_FINALIZE makes 0; an empty
                              section that touches present data counts, too; an implicit item of which a part is present means this part */
};

/* How the elements of an array are held on the device in fewer bits (the compression extension).
 * `min` and `max` are the ends of the range where `has_range` is not 0; else they are found in the
 * data that is copied in. */
enum accl_scheme {
    ACCL_SCHEME_RANGE = 1, ACCL_SCHEME_AFFINE = 2,
    ACCL_SCHEME_HALF = 3, ACCL_SCHEME_BFLOAT = 4, /* floating numbers of 16 bits: no range, no codec parameters */
    ACCL_SCHEME_BLOCK = 5 /* integers, times a power of two for each 32 numbers: no range. Kernels get such arrays as
                             plain copies where they write them, which are encoded behind the kernel, but for
                             variants with ACCL_NEEDS_WHOLE_GROUPS */
};
enum accl_layout { ACCL_LAYOUT_SOA = 1, ACCL_LAYOUT_AOS = 2 }; /* an array a member, or as on the host */
typedef struct accl_format {
    uint32_t scheme;     /* accl_scheme */
    uint32_t bits;       /* of an element */
    uint32_t type;       /* of the host's numbers: ACCL_F32 or ACCL_F64 */
    uint32_t members;    /* of an element, where elements are structures of such numbers; else 1 */
    uint32_t layout;     /* accl_layout, of such structures */
    uint32_t has_range;
    double min;
    double max;
    uint32_t checked;    /* what is no number is an error, not 0 */
    uint32_t reserved;   /* 0 */
} accl_format;

/* One contiguous section of one variable. A strided section of `update` has `n_dims` > 1 and the
 * host crate emits `dims` from the innermost outwards: {bytes of a run, 1}, {stride, count}, ... */
typedef struct accl_dim { size_t stride; size_t count; } accl_dim;
typedef struct accl_var {
    const char *name;      /* as the user wrote it: "a", "a[0:n]" */
    void *base;            /* what the variable's name denotes: kernels index from here */
    size_t offset;         /* from base to the first byte of the section */
    size_t bytes;          /* 0: an empty section: nothing is mapped, and a kernel's argument is null
                              unless base + offset touches something present (a pointer of unknown
                              extent: give the size of one element to have its absence reported) */
    uint32_t kind;         /* accl_data_kind */
    uint32_t flags;        /* accl_data_flags */
    uint32_t elem_size;    /* of one element, for messages and alignment */
    uint32_t n_dims;       /* 0 or 1: contiguous */
    const accl_dim *dims;
    int32_t line;          /* of the clause; 0 = the site's */
    int32_t reserved;      /* 0 at first; the runtime's between begin and end of a data construct, so
                              give accl_data_end the list (or a copy) that accl_data_begin was given */
    const accl_format *format; /* null: held plain. In the list of a compute construct: what its kernels
                              were compiled for */
    size_t row_bytes;      /* with create, where not 0: the section is a matrix with rows of so many bytes, and kernels that get
                              its strides (ACCL_ARG_STRIDE) follow it in column-major order, too */
    const char *pointers;  /* with ACCL_FOLLOWED, where the pointers lie. "24:8,16>1;8:0" for an array of struct { int n; double *u, **rows; }:
                              elements of 24 bytes with a pointer to data at 8 and one to elements of type 1 at 16, which is the second
                              here, an array of pointers to data */
} accl_var;

/* ---- Kernels ------------------------------------------------------------------------------ */

/* How the grid follows from the launch, for one dimension (0 = x, fastest). With num_gangs the whole grid has no more
 * blocks than that: all loops of such kernels stride, but for variants with ACCL_NEEDS_GANGS_COVER. */
enum accl_grid_rule {
    ACCL_GRID_ONE = 0,     /* extent 1 */
    ACCL_GRID_TRIPS = 1,   /* ceil(trips[d] / (block[d] * per_thread[d])) : one iteration a thread */
    ACCL_GRID_GANGS = 2,   /* num_gangs if given, else min(trips[d], a device limit): the kernel strides */
    ACCL_GRID_FIXED = 3    /* num_gangs, or the device's preference where it is 0 */
};

/* What must hold at launch for a variant to be chosen. The first that fits is taken; the last
 * variant of a kernel requires nothing. */
enum accl_requires {
    /* Device ranges of written arrays overlap no other array argument. */
    ACCL_NEEDS_NOALIAS = 1,
    /* Every pointer argument marked ACCL_ARG_VECTOR is 16-byte aligned. */
    ACCL_NEEDS_ALIGN16 = 2,
    /* Arrays and trip counts are short enough for subscripts of type int, and the grid has all blocks in y and z. */
    ACCL_NEEDS_INT32 = 4,
    /* The launch's iterations, per_thread of them in each thread, are at least half the threads that run at once. */
    ACCL_NEEDS_HIGH_OCCUPANCY = 8,
    /* Plain copies stand for the arguments marked ACCL_ARG_DECODED; what the kernel writes there is what elements decode to. */
    ACCL_NEEDS_DECODED = 16,
    /* A hint: such copies are worth making at once, since their elements are read many times. Without it only where the arrays are small, and for the second launch. */
    ACCL_NEEDS_REUSED = 32,
    /* num_gangs, where given, is no less than the blocks of the grid: the kernel does not stride. */
    ACCL_NEEDS_GANGS_COVER = 64,
    /* Beside high_occupancy: an eighth of these threads suffices, since each has enough independent instructions of its own (instruction-level parallelism). */
    ACCL_NEEDS_ILP = 128,
    /* Written arrays of ACCL_SCHEME_BLOCK begin with a group, and are themselves the arguments: the kernel writes whole groups. */
    ACCL_NEEDS_WHOLE_GROUPS = 256,
    /* Trip counts are multiples of block times per_thread in each dimension: every thread has all of its iterations. */
    ACCL_NEEDS_FULL_BLOCKS = 512,
    /* The launch has at most an eighth of the threads that run at once: usual blocks would leave multiprocessors idle. */
    ACCL_NEEDS_LOW_OCCUPANCY = 1024,
    /* The variant's shared arrays whose size the launch decides hold an element and fit into the shared memory of a block. */
    ACCL_NEEDS_FITS_SHARED = 2048,
    /* Blocks begin at a multiple of per_thread in x, which may be some iterations before the first: the grid reaches as many further. */
    ACCL_NEEDS_ALIGNED_ORIGIN = 4096,
    /* Iterations of the gang loop are worth few lanes: as many as the launch chooses, in blocks of block[0] times block[1] threads, which run several iterations at a time. */
    ACCL_NEEDS_FEW_LANES = 8192,
    /* Iterations of the gang loop are worth one lane. */
    ACCL_NEEDS_ONE_LANE = 16384,
    /* The device is a CUDA one whose warps multiply matrices of doubles (sm_80 and later). */
    ACCL_NEEDS_TENSOR_F64 = 32768,
    /* The launch has at most twice block[0] iterations in x. */
    ACCL_NEEDS_FEW_IN_X = 65536,
    /* The variant is named: by ACCL_VARIANT, by what tuning has found, or while candidates are measured. */
    ACCL_NEEDS_NAMED = 131072,
    /* The grid has all blocks in y and z. */
    ACCL_NEEDS_GRID_COVERS = 262144,
    /* No requirement: gangs that do not fill the device may have more lanes, up to ACCL_MOST_LANES. */
    ACCL_NEEDS_FREE_LANES = 524288,
    /* The device is a CUDA one, whose blocks aggregate atomic updates in shared memory. The grid has no more blocks than run at once. */
    ACCL_NEEDS_AGGREGATES = 1048576,
    /* The device is a CUDA one with clusters of blocks (sm_90 and later), and the launch has few gangs. The grid has ACCL_CLUSTER blocks in y for each. */
    ACCL_NEEDS_CLUSTERS = 2097152,
    /* The device is a CUDA one whose blocks have as much shared memory as the variant's arrays take. */
    ACCL_NEEDS_LARGE_SHARED = 4194304,
    /* The launch's row_length is 64 or more. */
    ACCL_NEEDS_LONG_LINES = 8388608,
    /* No requirement: the grid has only so many blocks in y and z that each multiprocessor has few threads, whose lines of memory its cache keeps. */
    ACCL_NEEDS_FEW_BLOCKS = 16777216,
    /* The device is a CUDA one. The grid has in y as many blocks for each in x as fill the device, and the kernel has two more parameters: memory for partial results and counters of arrivals. */
    ACCL_NEEDS_SPLITS = 33554432,
    /* The launch has few gangs. */
    ACCL_NEEDS_FEW_GANGS = 67108864,
    /* No requirement: an iteration of the gang loop goes through loops of lanes again and again. */
    ACCL_NEEDS_SEVERAL_LOOPS = 134217728
};

#define ACCL_MOST_LANES 512
#define ACCL_CLUSTER 8

typedef struct accl_variant {
    const char *symbol;        /* name in the device source */
    uint32_t needs;            /* accl_requires */
    uint32_t block[3];         /* threads of a block; [0] is replaced by vector_length where flags allow */
    uint32_t per_thread[3];    /* iterations of one thread in each dimension (coarsening), >= 1; in dimensions of gangs: that a gang takes at a time */
    uint32_t shared_bytes;     /* dynamic shared memory of a block; with dynamic tiles: what its other shared arrays take */
    uint32_t femtoseconds;     /* that the cost model expects an iteration of the distributed loops to take on a CUDA device full of
                                  them; 0: not known */
} accl_variant;

/* A dynamic tile: a shared tile (fcw, cache) whose size only the launch knows, for variant number `variant` or
 * the cpu device: so many elements in each dimension as lie from the block's first pivot to its last, and BEFORE and
 * AFTER, which are halo_extents[] of the launch. The dynamic tiles of a variant follow one another; each begins at a multiple of
 * 16 bytes. */
#define ACCL_ON_CPU 0xffffffffu
typedef struct accl_dynamic_tile_dim { uint64_t span; uint32_t before; uint32_t after; } accl_dynamic_tile_dim;
typedef struct accl_dynamic_tile {
    const char *array;
    uint32_t variant;
    uint32_t elem_size;
    uint32_t n_dims;
    const accl_dynamic_tile_dim *dims;
} accl_dynamic_tile;

/* The parameters of a kernel in the device source, in the order of `args`:
 *                     CUDA                        OpenCL
 *   ACCL_ARG_DATA     T *a                        __global T *a_buf, long a_off
 *   ACCL_ARG_VALUE    the value                   the value
 *   ACCL_ARG_CODEC    the value                   the value
 *   ACCL_ARG_TRIPS    long long n                 long n
 *   ACCL_ARG_EXTENT   long long n                 long n
 *   ACCL_ARG_STRIDE   long long n                 long n
 *   ACCL_ARG_REDUCTION                            (each a buffer of its own, without offset)
 *       T *result, T *partials,                   __global T *result, __global T *partials,
 *       unsigned *arrivals                        __global unsigned *arrivals
 * a_off is in bytes and may be negative: (__global T *)((__global char *)a_buf + a_off) is the address
 * that stands for vars[].base. ACCL_KERNEL_STOPS has one more parameter in OpenCL. Dynamic tiles lie in dynamic shared memory, in
 * OpenCL a parameter of __local memory, the last. Other dynamic shared memory (shared_bytes) is for CUDA; OpenCL kernels declare their __local arrays. On the cpu device args[i] points to a `T *`, the value, an
 * `int64_t`, or a `T *` to the thread's partial result. */
enum accl_arg_kind {
    ACCL_ARG_DATA = 1,      /* device address of vars[index].base (8 bytes) */
    ACCL_ARG_VALUE = 2,     /* `size` bytes, passed by value */
    ACCL_ARG_REDUCTION = 3, /* reductions[index]: expands to device pointers, see accl_reduction */
    ACCL_ARG_TRIPS = 4,     /* trips[index] as int64_t */
    ACCL_ARG_CODEC = 5,     /* a number that decoding or encoding vars[index] needs: `flags` is an accl_codec_parameter,
                               `size` 4 or 8: a float or double, or int64_t for ACCL_CODEC_FIRST and ACCL_CODEC_EXPONENTS */
    ACCL_ARG_EXTENT = 6,    /* where the device's part of vars[index] begins or ends, counted from its base in
                             * elements of `size` bytes on the host, as int64_t */
    ACCL_ARG_STRIDE = 7     /* of vars[index], a matrix with rows of `size` elements: how many elements of device memory lie from
                             * one element of a row to the next or, with ACCL_ARG_OF_ROWS, from one row to the next, as int64_t */
};
/* An element x is held as the leading bits of the mantissa of x * inverse + offset, a number in [1, 2);
 * from such a number t it is t * scale + bias. */
enum accl_codec_parameter {
    ACCL_CODEC_SCALE = 1,
    ACCL_CODEC_BIAS = 2,
    ACCL_CODEC_INVERSE = 3,
    ACCL_CODEC_OFFSET = 4,
    ACCL_CODEC_FIRST = 5,     /* packed and block elements: which of its group of 32 the base's element is */
    ACCL_CODEC_EXPONENTS = 6  /* block elements: bytes from the base (ACCL_ARG_DATA) to the exponent of its group; of a
                               float 8 bits, of a double 16, one behind the other */
};
enum accl_arg_flags {
    ACCL_ARG_READ = 1, ACCL_ARG_WRITTEN = 2, ACCL_ARG_VECTOR = 4,
    ACCL_ARG_END = 8,       /* ACCL_ARG_EXTENT: the end, not the begin */
    ACCL_ARG_DECODED = 32,   /* ACCL_ARG_DATA: see ACCL_NEEDS_DECODED */
    ACCL_ARG_ON_CPU = 16,   /* ACCL_ARG_EXTENT: the cpu device uses it too */
    ACCL_ARG_OF_ROWS = 64,  /* ACCL_ARG_STRIDE: see there */
    ACCL_ARG_F32 = 128,     /* ACCL_ARG_DATA: the elements are numbers of type float */
    ACCL_ARG_F64 = 256      /* the same, double */
};
typedef struct accl_arg {
    uint32_t kind;
    uint32_t index;
    uint32_t size;   /* ACCL_ARG_VALUE, ACCL_ARG_CODEC, ACCL_ARG_EXTENT, ACCL_ARG_STRIDE; ACCL_ARG_DATA: the
                        member, of an array of structures with ACCL_LAYOUT_SOA */
    uint32_t flags;  /* ACCL_ARG_DATA, ACCL_ARG_EXTENT, ACCL_ARG_STRIDE: accl_arg_flags; ACCL_ARG_CODEC: accl_codec_parameter */
} accl_arg;

enum accl_type {
    ACCL_I8 = 1, ACCL_U8, ACCL_I16, ACCL_U16, ACCL_I32, ACCL_U32, ACCL_I64, ACCL_U64, ACCL_F32, ACCL_F64
};
enum accl_op {
    ACCL_ADD = 1, ACCL_MUL, ACCL_MAX, ACCL_MIN, ACCL_BAND, ACCL_BOR, ACCL_BXOR, ACCL_LAND, ACCL_LOR
};
/* A reduction over the whole launch. On GPU devices an ACCL_ARG_REDUCTION is three kernel
 * parameters: `T *result, T *partials, unsigned *arrivals`. Each block stores its partial result at
 * partials[block]; the last to arrive (atomic increment of *arrivals, which is 0 before and after
 * every launch) combines them in block order and stores  *result = *result OP total.  The runtime
 * sets *result to the variable's value before and gives partials room for every block of the grid.
 * On the cpu device it is one parameter, `T *partial`, the calling thread's own, which the runtime
 * sets to the identity and combines in thread order afterwards. */
typedef struct accl_reduction {
    uint32_t op;    /* accl_op */
    uint32_t type;  /* accl_type */
} accl_reduction;

/* Entry of a kernel on the cpu device. It runs the iterations [begin, end) of the distributed
 * loop (trips[] of the launch, outermost dimension) or, for ACCL_KERNEL_GANGS, the gangs
 * [begin, end) of `total`. args[i] points to the i-th argument (a pointer's or value's storage). */
typedef void (*accl_cpu_entry)(int64_t begin, int64_t end, int64_t total, void *const *args);

enum accl_kernel_flags {
    ACCL_KERNEL_GANGS = 1,     /* not a distributed loop: each gang runs the body */
    ACCL_KERNEL_SERIAL = 2,    /* one gang, one worker, one lane */
    ACCL_KERNEL_VECTOR_X = 4,  /* vector_length of the launch may replace block[0]; in several dimensions
                                  the block: 32 in x, the rest in y */
    ACCL_KERNEL_FREE_X = 8,    /* block[0] is a default: a launch of few iterations may have smaller blocks */
    ACCL_KERNEL_DISTINCT = 16, /* refused unless written arrays overlap no other array argument, or of ACCL_KERNEL_HAS_FALLBACK */
    ACCL_KERNEL_WORKERS_Y = 32, /* num_workers of the launch may replace block[1], the most there may be */
    ACCL_KERNEL_AWAITS = 64,   /* CUDA from sm_90: each thread first waits for the grid before its own
                                  (griddepcontrol.wait), so the launch need not */
    ACCL_KERNEL_DYNAMIC_TILES = 128, /* the launch gives `dynamic_tiles` and `halo_extents` */
    ACCL_KERNEL_STOPS = 256,   /* it may end the program. On the cpu it calls accl_stop. On CUDA an assertion fails. OpenCL: it
                                  has `__global int *accl_stopped` behind the parameters of `args`, which it sets to 1,
                                  for exit() to 256 and the status */
    ACCL_KERNEL_PRINTS = 512,  /* it prints: the host's output so far comes before it, and what follows behind it */
    ACCL_KERNEL_HAS_FALLBACK = 1024, /* with ACCL_KERNEL_DISTINCT: accl_launch starts nothing and returns 0 where arrays overlap,
                                        or where that is not known; the caller then launches another kernel */
    ACCL_KERNEL_FALLBACK = 2048, /* it is such another kernel */
    ACCL_KERNEL_DISTINCT_ROWS = 4096, /* with ACCL_KERNEL_HAS_FALLBACK: its indirect pointers lie in followed arrays of pointers, and what these
                                        lead to overlaps neither itself nor another array argument */
    ACCL_KERNEL_DISTINCT_IN_ELEMENTS = 8192, /* with ACCL_KERNEL_DISTINCT_ROWS: pointers in different elements may lead to the same */
    ACCL_KERNEL_NO_CUDA = 16384,  /* CUDA cannot express it: the cpu runs it where the device is such a one */
    ACCL_KERNEL_NO_OPENCL = 32768, /* the same of OpenCL */
    ACCL_KERNEL_WAITS = 65536     /* gangs may wait for what others write: the cpu runs them side by side */
};
/* Indirect pointers: where in device memory a kernel loads pointers that it dereferences: in the `bytes` bytes from `offset` on behind each multiple
 * of `stride`, counted from the base of vars[index]; stride 0: anywhere in the variable. What they point to must be held
 * plain, which a launch tests. `further`: so must all that can be reached from there by pointers. */
typedef struct accl_indirect_pointer { uint32_t index; uint32_t further; uint64_t stride; uint64_t offset; uint64_t bytes; } accl_indirect_pointer;
typedef struct accl_kernel {
    const accl_site *site;
    accl_cpu_entry cpu;                /* null: not compiled for the cpu */
    uint32_t flags;                    /* accl_kernel_flags */
    uint32_t n_dims;                   /* distributed dimensions, 0..3; trips[0] is the innermost (x) */
    uint32_t grid[3];                  /* accl_grid_rule */
    uint32_t n_variants;
    const accl_variant *variants;
    uint32_t n_args;
    uint32_t n_reductions;
    const accl_arg *args;
    const accl_reduction *reductions;
    uint32_t n_indirect_pointers;
    const accl_indirect_pointer *indirect_pointers;
    const char *obstacle;              /* of a serial kernel or a fallback: what prevents its loops from running in
                                          parallel, or null. The runtime measures such a kernel, and warns where it takes long */
    accl_cpu_entry cpu_apart;          /* for launches whose written arrays overlap no other; null: `cpu` is for all */
} accl_kernel;

/* One compiled binary of a module for one architecture. */
typedef struct accl_image { const char *arch; const void *data; size_t size; } accl_image; /* "sm_90" */

/* One translation unit's device code; registered by a constructor before main. */
typedef struct accl_module {
    uint32_t abi_version;
    uint32_t n_images;
    const char *file;
    const char *cuda;      /* source, or null where not compiled for it */
    const char *opencl;
    const accl_image *images;
} accl_module;

/* ---- Calls -------------------------------------------------------------------------------- */

#define ACCL_SYNC   (-1)   /* no async clause */
#define ACCL_NOVAL  (-2)   /* async without argument */

void accl_register(const accl_module *module);

/* data construct and compute constructs: structured references.
 * `async`: ACCL_SYNC, ACCL_NOVAL or a queue. */
void accl_data_begin(const accl_site *, accl_var *vars, uint32_t n, int64_t async);
void accl_data_end(const accl_site *, accl_var *vars, uint32_t n, int64_t async);
/* enter/exit data, update, attach/detach. */
void accl_enter_data(const accl_site *, accl_var *vars, uint32_t n, int64_t async);
void accl_exit_data(const accl_site *, accl_var *vars, uint32_t n, int64_t async);
void accl_update(const accl_site *, accl_var *vars, uint32_t n, int64_t async);
/* Arrays with static storage, into which pointers of resident items may point. Called by constructors; no device is started. */
typedef struct accl_object { const void *address; size_t bytes; } accl_object;
void accl_note_objects(const accl_object *objects, uint32_t n);
/* declare at file scope, called by constructors: the data are on every device from the moment it is
 * started to the end of the program. No device is started. `vars` is copied. */
void accl_declare(const accl_site *, const accl_var *vars, uint32_t n);
/* host_data: the device address that stands for vars[i].base (the host's own where shared). */
void *accl_use_device(const accl_site *, const accl_var *var);
/* A copy of an object that kernels get by value: the pointers in it, at `offsets`, that lead to present data become the device's.
 * Others stay, since they may be the device's already. */
void accl_translate_pointers(const accl_site *, void *copy, const size_t *offsets, uint32_t n);

typedef struct accl_launch_info {
    const accl_module *module;
    const accl_kernel *kernel;
    accl_var *vars;                /* data of ACCL_ARG_DATA, already entered by accl_data_begin */
    const void *const *values;     /* one for each argument: ACCL_ARG_VALUE -> its address; else null */
    void *const *reduction_vars;   /* host addresses of the reduction variables */
    int64_t trips[3];
    int64_t num_gangs, num_workers, vector_length;  /* 0: not given */
    int64_t row_length;            /* iterations of the loops that lanes run inside the gang loop; 0: not known */
    int64_t async;
    /* Only of kernels with ACCL_KERNEL_DYNAMIC_TILES: */
    const accl_dynamic_tile *dynamic_tiles;
    const int64_t *halo_extents;
    uint32_t n_dynamic_tiles;
} accl_launch_info;
/* Starts a kernel. Returns 1 once started; results of reductions that are in no present table are
 * in their host variables when this returns, for a launch without async, or at the wait. Returns 0 where a kernel of
 * ACCL_KERNEL_HAS_FALLBACK must not be started. */
int accl_launch(const accl_launch_info *);

/* Around a compute construct that the host runs, since it cannot be translated for a device, behind accl_data_begin. What is present on
 * a device with memory of its own has the device's contents meanwhile; what the construct writes there goes to the device in
 * the end, and the host has its own contents again. All queues are waited for. */
void accl_host_begin(const accl_site *, const accl_var *vars, uint32_t n, int64_t async);
void accl_host_end(const accl_site *);

/* Compiled with --check, on the cpu device: `array` was subscripted outside the window that its block
 * keeps, at `place` (file:line). Ends the program. */
void accl_outside_window(const char *place, const char *array, int64_t index, int64_t first, int64_t last);
/* The same: `array`, which is compressed, was given NaN there. */
void accl_no_number(const char *place, const char *array, int64_t index);

/* Kernels of the cpu device: prints the message, and ends the program as abort() does. */
void accl_stop(const char *message);
/* The same, as exit() does. */
void accl_exit(int status);

/* Kernels of the cpu device: elements of an array with a range that lie packed, from number `first` on of `words`,
 * which begin with a group. Those around them stay as they are, whoever changes them meanwhile. */
void accl_decode_floats(float *to, const uint32_t *words, int64_t first, int64_t count, uint32_t bits, float scale,
                        float bias);
void accl_decode_doubles(double *to, const uint32_t *words, int64_t first, int64_t count, uint32_t bits, double scale,
                         double bias);
void accl_encode_floats(const float *from, uint32_t *words, int64_t first, int64_t count, uint32_t bits, float inverse,
                        float offset);
void accl_encode_doubles(const double *from, uint32_t *words, int64_t first, int64_t count, uint32_t bits,
                         double inverse, double offset);

/* Variables that are counted only while the program runs: elements of mapped arrays, iterations of an iterator. */
typedef struct accl_list { accl_var *vars; uint32_t n; uint32_t capacity; } accl_list;
void accl_list_add(accl_list *, const char *name, const void *base, size_t offset, size_t bytes, uint32_t kind, uint32_t flags,
                   uint32_t elem_size, int32_t line);
/* Before the list is used. */
void accl_list_complete(accl_list *);
void accl_list_free(accl_list *);
/* Whether a part of the array is present, and this element of it is not. */
int accl_is_beside_present(const void *array, size_t bytes, const void *element, size_t size);

/* The larger of two lengths, in the section of an array of which accesses with different ends use parts. */
int64_t accl_larger(int64_t, int64_t);

/* The element that `present(base[index])` means: the last one where `base[index]` would be the first behind what is present. */
int64_t accl_present_element(const void *base, size_t size, int64_t index);

/* wait directive and clause: all queues where n = 0; `async` says on which queue the waiting is
 * enqueued (ACCL_SYNC: the host waits). */
void accl_wait(const accl_site *, const int64_t *queues, uint32_t n, int64_t async);
/* The same for the queues of the current type's device `device_num`; the host waits. */
void accl_wait_device(const accl_site *, int device_num, const int64_t *queues, uint32_t n);
/* True where constructs run as kernels for the current device (always, unless ACC_DEVICE_TYPE=host
 * was refused...). Generated code runs the original statement where it is 0. */
int accl_offload(const accl_site *, int if_clause);
/* Constructs of OpenMP, the first part of their condition: makes the device of this number, or the default device, the
 * thread's current one; the default device stays what it is. 0 where the host runs the construct: the number is the
 * initial device's, or OMP_TARGET_OFFLOAD is disabled. A number of no device ends the program. */
int accl_omp_offloads(int device);
/* Around a data construct of OpenMP: the thread's current device, which accl_omp_return_to makes current again in the end. */
int accl_omp_device_here(void);
void accl_omp_return_to(int device);
/* Before main: a file has `requires unified_shared_memory`. Devices with a memory of their own are none for the program. */
void accl_omp_requires_shared_memory(void);
/* The number of the thread's current device, and how many there are, for code that runs on it. */
int *accl_omp_this_device(void);
int *accl_omp_devices(void);
/* The construct has no device clause. */
#define ACCL_OMP_DEFAULT_DEVICE (-1000)
/* A clause that differs between types of device (device_type): the current device's value. */
int64_t accl_by_device(int64_t cuda, int64_t opencl, int64_t cpu);
/* device_type is an acc_device_t of openacc.h. Both are -1 where not given,
 * default_async INT64_MIN. */
void accl_init(const accl_site *, int device_type, int device_num);
void accl_shutdown(const accl_site *, int device_type, int device_num);
void accl_set(const accl_site *, int device_type, int device_num, int64_t default_async);

#ifdef __cplusplus
}
#endif
#endif
