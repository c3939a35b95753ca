//! The names of paper 002 (tables 2 to 7), and what each means on a GPU of today: for `#pragma cuda`, configuration files
//! and the tuner.
//!
//! `docs/guide-tuning.md` shows this table; a test compares them.

/// A clause or variable of the paper's.
pub struct OpenMpcName {
    pub name: &'static str,
    /// The number of the table.
    pub table: u8,
    pub meaning: Meaning,
    pub today: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Steps of schedules.
    Steps(&'static [&'static str]),
    /// There is nothing to choose, or it is chosen elsewhere.
    Settled,
}

use Meaning::{Settled, Steps};

const fn row(table: u8, name: &'static str, meaning: Meaning, today: &'static str) -> OpenMpcName {
    OpenMpcName { name, table, meaning, today }
}

const BLOCKS: &str = "`num_teams(N)`, `grid_stride(N)`: the more iterations a thread takes, the fewer blocks";
const THREADS: &str = "`thread_limit(N)`, `block(X, Y, Z)`";
const COLLAPSE: &str = "`grid`: each loop of a nest has a dimension of the launch";
const SWAP: &str = "`grid`: the loop with neighbouring accesses has x";
const UNROLLED: &str = "always: warps combine by shuffles, in unrolled code";
const REGISTERS: &str =
    "`register_tile`, `tensor_tile` and `unroll_and_jam`; scalars are in registers anyway";
const SHARED: &str = "`shared_tile`, with `coarsen`";
const READ_ONLY: &str = "`restrict`: loads through the read-only path, which texture memory was used for";
const CONSTANT: &str = "always: scalars are arguments of kernels, which lie in constant memory";
const POOLED: &str =
    "always: the runtime pools device memory, and arrays stay while data constructs hold them";
const RESIDENT: &str =
    "always: the running program copies what is stale, no more, and a copy that is left out would be wrong";
const MOVED: &str = "always: data clauses and the present table decide what is copied";

/// In the paper's order.
pub const NAMES: &[OpenMpcName] = &[
    row(2, "maxnumofblocks", Steps(&["grid_stride"]), BLOCKS),
    row(2, "threadblocksize", Steps(&["block"]), THREADS),
    row(2, "noloopcollapse", Steps(&["grid"]), COLLAPSE),
    row(2, "noploopswap", Steps(&["grid"]), SWAP),
    row(2, "noreductionunroll", Settled, UNROLLED),
    row(3, "registerRO", Steps(&["register_tile", "tensor_tile", "unroll_and_jam"]), REGISTERS),
    row(3, "registerRW", Steps(&["register_tile", "tensor_tile", "unroll_and_jam"]), REGISTERS),
    row(3, "noregister", Steps(&["register_tile", "tensor_tile", "unroll_and_jam"]), REGISTERS),
    row(3, "sharedRO", Steps(&["shared_tile"]), SHARED),
    row(3, "sharedRW", Steps(&["shared_tile"]), SHARED),
    row(3, "noshared", Steps(&["shared_tile"]), SHARED),
    row(3, "texture", Steps(&["restrict"]), READ_ONLY),
    row(3, "notexture", Steps(&["restrict"]), READ_ONLY),
    row(3, "constant", Settled, CONSTANT),
    row(3, "noconstant", Settled, CONSTANT),
    row(4, "c2gmemtr", Settled, RESIDENT),
    row(4, "noc2gmemtr", Settled, RESIDENT),
    row(4, "g2cmemtr", Settled, RESIDENT),
    row(4, "nog2cmemtr", Settled, RESIDENT),
    row(4, "nocudamalloc", Settled, POOLED),
    row(4, "nocudafree", Settled, POOLED),
    row(5, "maxNumOfCudaThreadBlocks", Steps(&["grid_stride"]), BLOCKS),
    row(5, "cudaThreadBlockSize", Steps(&["block"]), THREADS),
    row(
        5,
        "useMatrixTranspose",
        Settled,
        "arrays of which each thread has a row are stored by columns, unless it is 0",
    ),
    row(5, "useLoopCollapse", Steps(&["grid"]), COLLAPSE),
    row(5, "useParallelLoopSwap", Steps(&["grid"]), SWAP),
    row(5, "useUnrollingOnReduction", Settled, UNROLLED),
    row(5, "useMallocPitch", Settled, "never: rows need no alignment since caches serve 32 bytes at a time"),
    row(5, "useGlobalGMalloc", Settled, POOLED),
    row(5, "globalGMallocOpt", Settled, POOLED),
    row(5, "cudaMallocOptLevel", Settled, POOLED),
    row(5, "cudaMemTrOptLevel", Settled, MOVED),
    row(
        5,
        "assumeNonZeroTripLoops",
        Settled,
        "not needed: launches count iterations, and none is right, too",
    ),
    row(5, "convStatic2Global", Settled, "not needed: static variables are found where they are"),
    row(
        5,
        "disableCritical2ReductionConv",
        Settled,
        "such regions stay with the host's threads (`-fopenmpc`)",
    ),
    row(5, "UEPRemovalOptLevel", Settled, "always: private variables are locals of threads"),
    row(5, "MemTrOptOnLoops", Settled, MOVED),
    row(5, "localRedVarConf", Settled, "always: copies of threads and teams, or atomic updates, by the nest"),
    row(5, "forceSyncKernelCall", Settled, "ACCL_LAUNCH_BLOCKING=1 when the program runs"),
    row(5, "addCudaErrorCheckingCode", Settled, "always: the runtime checks each call"),
    row(5, "addSafetyCheckingCode", Settled, "always: the runtime checks each allocation"),
    row(6, "shrdSclrCachingOnReg", Settled, "always: shared scalars are arguments, which are in registers"),
    row(
        6,
        "shrdArrayElmtCachingOnReg",
        Steps(&["restrict"]),
        "`restrict`: elements stay in registers across loops",
    ),
    row(6, "shrdSclrCachingOnSM", Settled, CONSTANT),
    row(
        6,
        "prvtArrayCachingOnSM",
        Settled,
        "always: private arrays of gangs and workers lie in shared memory",
    ),
    row(6, "shrdArrayCachingOnTM", Steps(&["restrict"]), READ_ONLY),
    row(6, "shrdSclrCachingOnConst", Settled, CONSTANT),
    row(6, "shrdArrayCachingOnConst", Steps(&["restrict"]), READ_ONLY),
    row(
        7,
        "cudaUserDirectiveFile",
        Settled,
        "the same in a configuration file, or `-fopenmpc-directives=FILE`",
    ),
    row(7, "extractTuningParameters", Settled, "--extract FILE"),
    row(7, "genTuningConfFiles", Settled, "--generate DIR"),
    row(7, "defaultTuningConfFile", Settled, "-gpu=config:FILE of accl cc"),
    row(7, "tuningLevel", Settled, "--level program (0) or kernel (1)"),
];

/// What stands behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    /// `(N)`, `=N`
    Number,
    /// `(a, b)`
    Names,
    /// Nothing, or `=0` or `=1`.
    Flag,
    /// `=FILE`
    Text,
}

impl OpenMpcName {
    pub fn takes(&self) -> Takes {
        match (self.table, self.name) {
            (2, "maxnumofblocks" | "threadblocksize") => Takes::Number,
            (2, _) => Takes::Nothing,
            (3 | 4, _) => Takes::Names,
            (7, "tuningLevel") => Takes::Number,
            (7, _) => Takes::Text,
            (
                _,
                "maxNumOfCudaThreadBlocks"
                | "cudaThreadBlockSize"
                | "cudaMallocOptLevel"
                | "cudaMemTrOptLevel",
            )
            | (_, "UEPRemovalOptLevel" | "localRedVarConf") => Takes::Number,
            _ => Takes::Flag,
        }
    }
}

/// A clause of `#pragma cuda`, by its name in any case of letters.
pub fn clause(name: &str) -> Option<&'static OpenMpcName> {
    NAMES.iter().find(|row| (2..=4).contains(&row.table) && row.name.eq_ignore_ascii_case(name))
}

/// A parameter of a configuration file.
pub fn parameter(name: &str) -> Option<&'static OpenMpcName> {
    NAMES.iter().find(|row| row.table >= 5 && row.name.eq_ignore_ascii_case(name))
}

/// In any case of letters.
pub fn find(name: &str) -> Option<&'static OpenMpcName> {
    NAMES.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The table as the guide shows it.
pub fn markdown() -> String {
    let mut text = "| table | name | today |\n|---|---|---|\n".to_owned();
    for OpenMpcName { name, table, today, .. } in NAMES {
        text += &format!("| {table} | `{name}` | {today} |\n");
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_guide_shows_the_table() {
        let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide-tuning.md");
        let guide = std::fs::read_to_string(guide).unwrap();
        assert!(guide.contains(&super::markdown()), "put this into the guide:\n{}", super::markdown());
    }
}
