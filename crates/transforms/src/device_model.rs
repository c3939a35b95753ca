//! What the compiler knows of devices: their limits and their speeds.
//!
//! Sizes that steps of a schedule choose follow from these numbers (`map::steps`), and the cost model ranks schedules by
//! them (`map::cost`). A program's kernels run on any device whatever the model: what a launch needs is tested then.
//!
//! Sources: CUDA C++ Programming Guide 13, "Technical Specifications per Compute Capability", for the limits; NVIDIA's data
//! sheets of the named boards for multiprocessors, caches, bandwidth and peak.

/// One architecture.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceModel {
    /// `sm_90`, `opencl` or `cpu`.
    pub name: &'static str,
    /// The board that the speeds are of.
    pub board: &'static str,
    pub multiprocessors: u32,
    /// Threads that run at once on a multiprocessor.
    pub threads_per_multiprocessor: u32,
    pub threads_per_block: u32,
    /// Threads that run in step: lanes of a warp, or of a vector unit.
    pub warp: u32,
    /// 32-bit registers of a multiprocessor, and the most that a thread has.
    pub registers: u32,
    pub registers_per_thread: u32,
    /// Bytes of shared memory of a multiprocessor, and the most that one block can ask for.
    pub shared: u64,
    pub most_shared: u64,
    /// Bytes of the last cache before memory.
    pub cache: u64,
    /// Bytes a second from memory.
    pub bandwidth: f64,
    /// Seconds from a load to its value.
    pub latency: f64,
    /// Operations a second in float and double, a product and a sum counted as two.
    pub peak32: f64,
    pub peak64: f64,
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// What NVIDIA's architectures from sm_70 on have in common.
const NVIDIA: DeviceModel = DeviceModel {
    name: "",
    board: "",
    multiprocessors: 0,
    threads_per_multiprocessor: 2048,
    threads_per_block: 1024,
    warp: 32,
    registers: 65536,
    registers_per_thread: 255,
    shared: 0,
    most_shared: 0,
    cache: 0,
    bandwidth: 0.0,
    latency: 600e-9,
    peak32: 0.0,
    peak64: 0.0,
};

/// The architectures, oldest first, then OpenCL's devices and processors.
pub const MODELS: &[DeviceModel] = &[
    DeviceModel {
        name: "sm_70",
        board: "V100",
        multiprocessors: 80,
        shared: 96 * KIB,
        most_shared: 96 * KIB,
        cache: 6 * MIB,
        bandwidth: 0.9e12,
        peak32: 15.7e12,
        peak64: 7.8e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "sm_75",
        board: "T4",
        multiprocessors: 40,
        threads_per_multiprocessor: 1024,
        shared: 64 * KIB,
        most_shared: 64 * KIB,
        cache: 4 * MIB,
        bandwidth: 0.32e12,
        peak32: 8.1e12,
        peak64: 0.25e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "sm_80",
        board: "A100",
        multiprocessors: 108,
        shared: 164 * KIB,
        most_shared: 163 * KIB,
        cache: 40 * MIB,
        bandwidth: 2.04e12,
        peak32: 19.5e12,
        peak64: 9.7e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "sm_86",
        board: "A40",
        multiprocessors: 84,
        threads_per_multiprocessor: 1536,
        shared: 100 * KIB,
        most_shared: 99 * KIB,
        cache: 6 * MIB,
        bandwidth: 0.696e12,
        peak32: 37.4e12,
        peak64: 0.58e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "sm_89",
        board: "L40",
        multiprocessors: 142,
        threads_per_multiprocessor: 1536,
        shared: 100 * KIB,
        most_shared: 99 * KIB,
        cache: 96 * MIB,
        bandwidth: 0.864e12,
        peak32: 90.5e12,
        peak64: 1.4e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "sm_90",
        board: "H200",
        multiprocessors: 132,
        shared: 228 * KIB,
        most_shared: 227 * KIB,
        cache: 50 * MIB,
        bandwidth: 4.8e12,
        peak32: 66.9e12,
        peak64: 33.5e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "sm_100",
        board: "B200",
        multiprocessors: 148,
        shared: 228 * KIB,
        most_shared: 227 * KIB,
        cache: 126 * MIB,
        bandwidth: 7.7e12,
        peak32: 74.5e12,
        peak64: 37.2e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "opencl",
        board: "what every device has (OpenCL 3.0, table of device queries)",
        multiprocessors: 40,
        threads_per_multiprocessor: 1024,
        threads_per_block: 256,
        shared: 32 * KIB,
        most_shared: 32 * KIB,
        cache: 4 * MIB,
        bandwidth: 0.3e12,
        peak32: 8e12,
        peak64: 0.25e12,
        ..NVIDIA
    },
    DeviceModel {
        name: "cpu",
        board: "a server with 512-bit vectors",
        multiprocessors: 32,
        threads_per_multiprocessor: 1,
        threads_per_block: 1,
        warp: 16,
        registers: 32 * 16,
        registers_per_thread: 32 * 16,
        shared: 32 * KIB,
        most_shared: 32 * KIB,
        cache: 32 * MIB,
        bandwidth: 0.3e12,
        latency: 100e-9,
        peak32: 6e12,
        peak64: 3e12,
    },
];

impl DeviceModel {
    /// The architecture of this name.
    pub fn named(name: &str) -> Option<&'static DeviceModel> {
        MODELS.iter().find(|model| model.name == name)
    }

    /// The one for a list of compute capabilities (90 is 9.0), whose kernels run on all of them: of each the next older
    /// one in the table, and of these the one whose blocks have the least shared memory.
    pub fn of_capabilities(list: &[u32]) -> Option<&'static DeviceModel> {
        let number = |model: &DeviceModel| model.name.strip_prefix("sm_").and_then(|n| n.parse::<u32>().ok());
        let older =
            |capability: &u32| MODELS.iter().rfind(|model| number(model).is_some_and(|n| n <= *capability));
        list.iter().filter_map(older).min_by_key(|model| model.most_shared)
    }

    /// The one whose limits and speeds are taken where the user names no architecture.
    pub fn usual() -> &'static DeviceModel {
        DeviceModel::named("sm_90").unwrap_or(&MODELS[0])
    }

    /// What kernels may ask for on every device.
    pub fn portable() -> &'static DeviceModel {
        DeviceModel::named("opencl").unwrap_or(&MODELS[0])
    }

    pub fn cpu() -> &'static DeviceModel {
        DeviceModel::named("cpu").unwrap_or(&MODELS[0])
    }

    /// Bytes that a multiprocessor must wait for at the same time to keep its part of the memory busy, by Little's law.
    pub fn bytes_under_way(&self) -> f64 {
        self.bandwidth * self.latency / f64::from(self.multiprocessors)
    }

    /// Iterations whose loads a thread must have under way for all threads together to keep the memory busy, with loads of
    /// four bytes: at least two, since that much costs nothing, and at most four, since more cost registers.
    pub fn iterations_under_way(&self) -> u32 {
        let each = self.bytes_under_way() / f64::from(4 * self.threads_per_multiprocessor);
        (each.ceil() as u32).next_power_of_two().clamp(2, 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capability_has_the_model_of_the_next_older_architecture() {
        let name = |list: &[u32]| DeviceModel::of_capabilities(list).map(|model| model.name);
        assert_eq!(name(&[90]), Some("sm_90"));
        assert_eq!(name(&[87]), Some("sm_86"));
        assert_eq!(name(&[103]), Some("sm_100"));
        assert_eq!(name(&[70, 90]), Some("sm_70"));
        assert_eq!(name(&[60]), None);
        assert_eq!(name(&[]), None);
    }

    #[test]
    fn fast_memory_needs_more_loads_under_way() {
        let n = |name: &str| DeviceModel::named(name).unwrap().iterations_under_way();
        assert_eq!((n("sm_70"), n("sm_75"), n("sm_90"), n("sm_100")), (2, 2, 4, 4));
    }
}
