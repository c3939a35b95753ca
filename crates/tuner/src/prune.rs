//! Takes candidates away that cannot be the best.
//!
//! Only what is certain is taken: what the device cannot run, and what is worse than another candidate with the same steps in
//! everything that the cost model counts, where the model's margin is wide ([`MARGIN`]).

use crate::space::{ScheduleCandidate, TunableKernel};

/// What a device can run.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceLimits {
    /// `sm_90`, or another name of the model.
    pub device: String,
    pub threads_per_block: u32,
    pub registers: u32,
    pub shared: u64,
    /// Bytes that a multiprocessor must wait for at the same time to keep its part of the memory busy.
    pub bytes_under_way: f64,
}

/// How many times more bytes the better of two has under way, where neither has enough.
const MARGIN: f64 = 4.0;

/// What was kept, and why the others were not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pruned {
    pub kept: Vec<usize>,
    /// (candidate, reason)
    pub gone: Vec<(usize, String)>,
}

pub fn prune(kernel: &TunableKernel, limits: &DeviceLimits) -> Pruned {
    let mut pruned = Pruned::default();
    for (at, candidate) in kernel.candidates.iter().enumerate() {
        match too_large(candidate, limits).or_else(|| dominated(kernel, at, limits)) {
            Some(reason) => pruned.gone.push((at, reason)),
            None => pruned.kept.push(at),
        }
    }
    pruned
}

fn too_large(candidate: &ScheduleCandidate, limits: &DeviceLimits) -> Option<String> {
    let (estimate, device) = (&candidate.estimate, &limits.device);
    if estimate.threads > limits.threads_per_block {
        let (threads, most) = (estimate.threads, limits.threads_per_block);
        return Some(format!("{threads} threads a block; {device} has at most {most}"));
    }
    if estimate.shared > limits.shared {
        let (bytes, most) = (estimate.shared, limits.shared);
        return Some(format!("{bytes} bytes of shared memory a block; {device} has at most {most}"));
    }
    let registers = estimate.registers.saturating_mul(estimate.threads);
    (registers > limits.registers)
        .then(|| format!("{registers} registers a block; {device} has {}", limits.registers))
}

/// Another candidate that differs in one parameter needs no more of anything, and memory waits for several times as many of
/// its bytes, where neither keeps it busy.
fn dominated(kernel: &TunableKernel, at: usize, limits: &DeviceLimits) -> Option<String> {
    let this = &kernel.candidates[at].estimate;
    let better = |other: &usize| {
        let other_is = &kernel.candidates[*other];
        let other = &other_is.estimate;
        other.registers <= this.registers
            && other.accesses <= this.accesses
            && other.occupancy >= this.occupancy
            && other.bytes_under_way >= MARGIN * this.bytes_under_way
            && this.bytes_under_way * MARGIN <= limits.bytes_under_way
            && too_large(other_is, limits).is_none()
    };
    let other = kernel.neighbours(at).into_iter().find(better)?;
    Some(format!(
        "`{}` has {:.0} bytes under way instead of {:.0}, and needs no more",
        kernel.candidates[other].schedule,
        kernel.candidates[other].estimate.bytes_under_way,
        this.bytes_under_way
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::kernel;

    fn limits() -> DeviceLimits {
        DeviceLimits {
            device: "small".into(),
            threads_per_block: 256,
            registers: 65536,
            shared: 1024,
            bytes_under_way: 8000.0,
        }
    }

    #[test]
    fn what_the_device_cannot_run_is_gone() {
        let mut kernel = kernel(&["block=256", "block=512", "tile"]);
        kernel.candidates[1].estimate.threads = 512;
        kernel.candidates[2].estimate.shared = 2048;
        let pruned = prune(&kernel, &limits());
        assert_eq!(pruned.kept, [0]);
        assert_eq!(pruned.gone[0].1, "512 threads a block; small has at most 256");
        assert!(pruned.gone[1].1.starts_with("2048 bytes of shared memory"));
    }

    #[test]
    fn only_a_wide_margin_takes_a_candidate_away() {
        let mut kernel = kernel(&["block=64", "block=128", "block=256"]);
        for (candidate, bytes) in kernel.candidates.iter_mut().zip([500.0, 1500.0, 2500.0]) {
            candidate.estimate.bytes_under_way = bytes;
        }
        assert_eq!(prune(&kernel, &limits()).kept, [1, 2]);
        // Where memory is busy, more bytes help nobody.
        let busy = DeviceLimits { bytes_under_way: 400.0, ..limits() };
        assert_eq!(prune(&kernel, &busy).kept, [0, 1, 2]);
    }
}
