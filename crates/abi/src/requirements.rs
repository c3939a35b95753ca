//! What must hold at a launch for a variant of a kernel to be chosen: one table.
//!
//! The compiler's [`Requirements`], their words in the intermediate form, their bits in a program's tables and in the runtime,
//! what the device source says of them, and the enumeration in `accl_abi.h` are all made of it.

macro_rules! requirements {
    ($($(#[doc = $doc:literal])+ $field:ident $code:ident = $bit:literal, $told:expr;)*) => {
        /// What the runtime checks before it takes a variant.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub struct Requirements {
            $($(#[doc = $doc])+ pub $field: bool,)*
        }

        /// `enum accl_requires`.
        pub mod needs {
            $($(#[doc = $doc])+ pub const $code: u32 = $bit;)*
        }

        /// In the order of the table.
        pub const REQUIREMENTS: &[Requirement] = &[$(Requirement {
            name: stringify!($field),
            code: concat!("ACCL_NEEDS_", stringify!($code)),
            bit: $bit,
            meaning: concat!($($doc),+),
            told: $told,
        }),*];

        impl Requirements {
            /// As the tables of a program hold them.
            pub fn bits(self) -> u32 {
                [$(if self.$field { $bit } else { 0 }),*].into_iter().sum()
            }

            /// Sets the one of this name; false where there is none.
            pub fn set(&mut self, name: &str) -> bool {
                match name {
                    $(stringify!($field) => self.$field = true,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// Its word in the intermediate form.
    pub name: &'static str,
    /// Its name in C.
    pub code: &'static str,
    pub bit: u32,
    pub meaning: &'static str,
    /// What the device source tells a reader of it, if he should know.
    pub told: Option<&'static str>,
}

impl Requirements {
    /// The rows that are required.
    pub fn rows(self) -> impl Iterator<Item = &'static Requirement> {
        REQUIREMENTS.iter().filter(move |row| self.bits() & row.bit != 0)
    }
}

requirements! {
    /// Device ranges of written arrays overlap no other array argument.
    noalias NOALIAS = 1, Some("arrays do not overlap");
    /// Every pointer argument marked ACCL_ARG_VECTOR is 16-byte aligned.
    align16 ALIGN16 = 2, Some("arrays aligned to 16 bytes");
    /// Arrays and trip counts are short enough for subscripts of type int, and the grid has all blocks in y and z.
    int32 INT32 = 4, Some("32-bit subscripts");
    /// The launch's iterations, per_thread of them in each thread, are at least half the threads that run at once.
    high_occupancy HIGH_OCCUPANCY = 8, Some("several iterations a thread");
    /// Plain copies stand for the arguments marked ACCL_ARG_DECODED; what the kernel writes there is what elements decode to.
    decoded DECODED = 16, Some("compressed arrays decoded before");
    /// A hint: such copies are worth making at once, since their elements are read many times. Without it only where the
    /// arrays are small, and for the second launch.
    reused REUSED = 32, None;
    /// num_gangs, where given, is no less than the blocks of the grid: the kernel does not stride.
    gangs_cover GANGS_COVER = 64, None;
    /// Beside high_occupancy: an eighth of these threads suffices, since each has enough independent instructions of its own
    /// (instruction-level parallelism).
    ilp ILP = 128, None;
    /// Written arrays of ACCL_SCHEME_BLOCK begin with a group, and are themselves the arguments: the kernel writes whole
    /// groups.
    whole_groups WHOLE_GROUPS = 256, Some("whole groups of block arrays");
    /// Trip counts are multiples of block times per_thread in each dimension: every thread has all of its iterations.
    full_blocks FULL_BLOCKS = 512, Some("blocks are full");
    /// The launch has at most an eighth of the threads that run at once: usual blocks would leave multiprocessors idle.
    low_occupancy LOW_OCCUPANCY = 1024, Some("few iterations");
    /// The variant's shared arrays whose size the launch decides hold an element and fit into the shared memory of a block.
    fits_shared FITS_SHARED = 2048, None;
    /// Blocks begin at a multiple of per_thread in x, which may be some iterations before the first: the grid reaches as many
    /// further.
    aligned_origin ALIGNED_ORIGIN = 4096, None;
    /// Iterations of the gang loop are worth few lanes: as many as the launch chooses, in blocks of block[0] times block[1]
    /// threads, which run several iterations at a time.
    few_lanes FEW_LANES = 8192, Some("a few lanes suffice for an iteration");
    /// Iterations of the gang loop are worth one lane.
    one_lane ONE_LANE = 16384, Some("one lane suffices for an iteration");
    /// The device is a CUDA one whose warps multiply matrices of doubles (sm_80 and later).
    tensor_f64 TENSOR_F64 = 32768, Some("tensor units for doubles");
    /// The launch has at most twice block[0] iterations in x.
    few_in_x FEW_IN_X = 65536, Some("few iterations in x");
    /// The variant is named: by ACCL_VARIANT, by what tuning has found, or while candidates are measured.
    named NAMED = 131072, Some("it is named");
    /// The grid has all blocks in y and z.
    grid_covers GRID_COVERS = 262144, None;
    /// No requirement: gangs that do not fill the device may have more lanes, up to ACCL_MOST_LANES.
    free_lanes FREE_LANES = 524288, None;
    /// The device is a CUDA one, whose blocks aggregate atomic updates in shared memory. The grid has no more blocks than run at
    /// once.
    aggregates AGGREGATES = 1048576, Some("atomic updates aggregated in shared memory");
    /// The device is a CUDA one with clusters of blocks (sm_90 and later), and the launch has few gangs. The grid has ACCL_CLUSTER
    /// blocks in y for each.
    clusters CLUSTERS = 2097152, Some("a cluster of blocks for each of a few gangs");
    /// The device is a CUDA one whose blocks have as much shared memory as the variant's arrays take.
    large_shared LARGE_SHARED = 4194304, Some("rows in shared memory");
    /// The launch's row_length is 64 or more.
    long_lines LONG_LINES = 8388608, Some("long lines of memory");
    /// No requirement: the grid has only so many blocks in y and z that each multiprocessor has few threads, whose lines of memory
    /// its cache keeps.
    few_blocks FEW_BLOCKS = 16777216, None;
    /// The device is a CUDA one. The grid has in y as many blocks for each in x as fill the device, and the kernel has two more
    /// parameters: memory for partial results and counters of arrivals.
    splits SPLITS = 33554432, Some("blocks share the long loop of an iteration");
    /// The launch has few gangs.
    few_gangs FEW_GANGS = 67108864, Some("few gangs");
    /// No requirement: an iteration of the gang loop goes through loops of lanes again and again.
    several_loops SEVERAL_LOOPS = 134217728, None;
}

/// The enumeration in `accl_abi.h`.
pub fn c_enumeration() -> String {
    let row = |r: &Requirement| format!("    /*{} */\n    {} = {}", r.meaning, r.code, r.bit);
    let rows: Vec<String> = REQUIREMENTS.iter().map(row).collect();
    format!("enum accl_requires {{\n{}\n}};\n", rows.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_the_table() {
        assert!(crate::HEADER.contains(&c_enumeration()), "accl_abi.h must have:\n{}", c_enumeration());
    }

    #[test]
    fn each_requirement_has_its_own_bit_and_name() {
        let mut all = Requirements::default();
        for (at, row) in REQUIREMENTS.iter().enumerate() {
            assert_eq!(row.bit, 1 << at);
            assert!(all.set(row.name));
            assert_eq!(all.bits(), (1 << (at + 1)) - 1);
        }
        assert!(!all.set("restrict"));
        assert_eq!(all.rows().count(), REQUIREMENTS.len());
    }
}
