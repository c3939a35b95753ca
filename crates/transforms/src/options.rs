//! What the user or the driver may set.

use crate::device_model::DeviceModel;
use accl_ir::Schedule;
use accl_source::Files;

/// Defaults of the mapping to GPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuDefaults {
    /// Threads of a block of a one-dimensional launch.
    pub block_1d: u32,
    /// The same where the launch ends in a reduction.
    pub block_reduction: u32,
    /// x and y of a two-dimensional launch.
    pub block_2d: [u32; 2],
    /// x, y and z of a three-dimensional launch.
    pub block_3d: [u32; 3],
    /// Lanes of a gang whose vector loops are inside the kernel.
    pub vector_length: u32,
}

impl Default for GpuDefaults {
    fn default() -> Self {
        GpuDefaults {
            block_1d: 256,
            block_reduction: 256,
            block_2d: [64, 4],
            block_3d: [32, 4, 2],
            vector_length: 128,
        }
    }
}

/// A schedule for the directive at a line of a function.
#[derive(Clone, Debug)]
pub struct FileSchedule {
    /// `*`: any function of the file.
    pub function: String,
    pub line: u32,
    /// Of several loops that are made of the directive's, this one; none: all.
    pub part: Option<u32>,
    /// Of several constructs that come of it ([`Region::copy`](accl_ir::Region::copy)), this one; none: all.
    pub copy: Option<u32>,
    pub schedule: Schedule,
    /// The file and line that say so.
    pub origin: String,
}

impl FileSchedule {
    pub fn is_of(&self, function: &str) -> bool {
        self.function == "*" || self.function == function
    }

    /// It is for the directive at this line, for this one of the loops that are made of its loop, and of the constructs that come of it.
    pub fn names(&self, line: u32, part: u32, copy: u32) -> bool {
        self.line == line
            && self.part.is_none_or(|own| own == part)
            && self.copy.is_none_or(|own| own == copy)
    }

    /// The line, part and construct as a file has them: `12`, `12.2`, `12@3`.
    pub fn numbers(&self) -> String {
        let part = self.part.map(|part| format!(".{part}")).unwrap_or_default();
        let copy = self.copy.map(|copy| format!("@{}", copy + 1)).unwrap_or_default();
        format!("{}{part}{copy}", self.line)
    }
}

/// Settings of the pipeline.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Make variants for GPU devices (CUDA, OpenCL).
    pub gpu: bool,
    /// Make bodies for the cpu device.
    pub cpu: bool,
    pub defaults: GpuDefaults,
    /// The architecture whose limits and speeds schedules are chosen by.
    pub device: &'static DeviceModel,
    /// Schedules that the user gives in a file.
    pub schedules: &'a [FileSchedule],
    /// Schedules, several for a directive, that kernels get as variants beside the usual ones, to be taken where they are named.
    pub candidates: &'a [FileSchedule],
    /// Tell of each kernel which steps apply to it, with their parameters and costs (`accl explain --schedules`).
    pub list_steps: bool,
    /// List all schedules that each kernel can have (`accl tune`).
    pub list_spaces: bool,
    /// Several iterations a thread with 16-byte accesses, where all accesses are contiguous.
    pub coarsen: bool,
    /// Windows in shared memory that the compiler makes by itself where reuse is proven (`-gpu=noautofcw`).
    pub windows: bool,
    /// Arrays without data clauses are resident on the device (`-gpu=autodata`). `accl translate` has no runtime for it.
    pub auto_data: bool,
    /// Every construct is to name its data (`accl translate --to openmp`): a section that is not known is left out.
    pub explicit_data: bool,
    /// Follow `cache` directives. `accl translate` does not: only the runtime knows where arrays end.
    pub cache: bool,
    /// Test on the cpu device that accesses are inside their windows.
    pub check: bool,
    /// Unroll and jam: several iterations a thread, side by side, where the launch has enough of them.
    pub unroll_and_jam: bool,
    /// Arrays of which each thread has a row for itself are stored by columns. `accl translate` does not: the runtime decides.
    pub column_major: bool,
    /// A variant with `restrict` pointers for launches whose arrays do not overlap.
    pub noalias: bool,
    /// Use the device's faster functions where they are as accurate to a few units in the last place.
    pub fast_math: bool,
    /// Signed integers wrap (`-fwrapv`).
    pub wrapping: bool,
    /// Make versions of kernels that count in 64 bits, for loops that end near the largest int.
    pub index64: bool,
    /// Parallelise loops of `kernels` constructs and `auto` loops that are proven independent.
    pub auto_parallel: bool,
    /// The host runs sequential code around parallel loops of `kernels` constructs.
    pub partition_kernels: bool,
    /// The host also runs such code where that takes variables of the compiler's own or a second copy of the
    /// statement.
    pub partition_freely: bool,
    /// The buffer, for line numbers in kernel names and for host text that the IR does not hold. Without it kernels
    /// are numbered, and that text is assumed to use every variable.
    pub files: Option<&'a Files>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            gpu: true,
            cpu: true,
            defaults: GpuDefaults::default(),
            device: DeviceModel::usual(),
            schedules: &[],
            candidates: &[],
            list_steps: false,
            list_spaces: false,
            coarsen: true,
            windows: true,
            auto_data: false,
            explicit_data: false,
            cache: true,
            check: false,
            unroll_and_jam: true,
            column_major: true,
            noalias: true,
            fast_math: true,
            wrapping: false,
            index64: true,
            auto_parallel: true,
            partition_kernels: true,
            partition_freely: true,
            files: None,
        }
    }
}
