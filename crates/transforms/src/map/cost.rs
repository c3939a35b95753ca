//! What an iteration costs under a schedule, estimated from the kernel and from what each step says of itself.
//!
//! An estimate of the plain kernel is counted ([`Cost::of`]); each step then changes it ([`StepKind::cost`](super::steps::StepKind)).
//! From the result follow how many threads a multiprocessor has ([`Cost::occupancy`]) and how many bytes are under way
//! ([`Cost::bytes_under_way`]), which is what memory-bound kernels wait for.

use super::steps;
use crate::device_model::DeviceModel;
use accl_ir::{Kernel, Schedule, Stmt, Types, visit};

/// What is counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Threads of a block.
    pub threads: u32,
    /// Iterations of a thread.
    pub iterations: u32,
    /// Of an iteration: accesses to memory by instructions of their own, those of inner loops once.
    pub loads: f64,
    pub stores: f64,
    /// Bytes of one such access, in the mean.
    pub bytes: f64,
    /// Accesses of a thread that are under way at the same time.
    pub loads_under_way: u32,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Operands come from shared memory.
    pub shared_loads: bool,
    /// Bytes of shared memory of a block.
    pub shared: u64,
}

impl Cost {
    /// Of the kernel with one iteration a thread.
    pub fn of(types: &Types, kernel: &Kernel, block: [u32; 3]) -> Cost {
        let (mut loads, mut stores, mut bytes) = (0.0, 0.0, 0.0);
        let body = &kernel.body;
        visit::for_each_place(body, &body.block, &mut |place, access| {
            if matches!(visit::root_of(body, place), Some(visit::Root::Local(_))) {
                return;
            }
            let size = types.size_of(body.exprs[place].ty).unwrap_or(4) as f64;
            let (read, written) = (f64::from(u8::from(access.reads())), f64::from(u8::from(access.writes())));
            (loads, stores, bytes) = (loads + read, stores + written, bytes + size * (read + written));
        });
        let mut named = 0;
        visit::for_each_stmt(&body.block, &mut |node| {
            named += u32::from(matches!(node.kind, Stmt::Declare { .. }))
        });
        let accesses: f64 = loads + stores;
        Cost {
            threads: block.iter().product(),
            iterations: 1,
            loads,
            stores,
            bytes: bytes / accesses.max(1.0),
            loads_under_way: (loads as u32).clamp(1, 8),
            registers: 16 + 2 * named.min(64),
            shared_loads: false,
            shared: 0,
        }
    }

    /// The same under a schedule.
    pub fn under(mut self, schedule: &Schedule) -> Cost {
        for step in &schedule.steps {
            if let Some(kind) = steps::kind(&step.name) {
                (kind.cost)(step, &mut self);
            }
        }
        self
    }

    /// The part of a multiprocessor's threads that run at once, as blocks, registers and shared memory allow.
    pub fn occupancy(&self, device: &DeviceModel) -> f64 {
        let registers = self.registers.min(device.registers_per_thread);
        let by_registers = device.registers / (registers * self.threads).max(1);
        let by_threads = device.threads_per_multiprocessor / self.threads.max(1);
        let by_shared = device.shared.checked_div(self.shared).map_or(u32::MAX, |n| n.min(1 << 20) as u32);
        let blocks = by_registers.min(by_threads).min(by_shared);
        f64::from(blocks * self.threads) / f64::from(device.threads_per_multiprocessor)
    }

    /// Seconds of an iteration on a device full of them, for comparing schedules of one kernel: what its accesses take of the
    /// memory's bandwidth, as far as enough bytes are under way to use it.
    pub fn seconds(&self, device: &DeviceModel) -> f64 {
        let busy = (self.bytes_under_way(device) / device.bytes_under_way()).clamp(1e-3, 1.0);
        (self.loads + self.stores) * self.bytes / (device.bandwidth * busy)
    }

    /// Bytes that a multiprocessor waits for at the same time. Memory is busy where they are as many as
    /// [`DeviceModel::bytes_under_way`].
    pub fn bytes_under_way(&self, device: &DeviceModel) -> f64 {
        let threads = self.occupancy(device) * f64::from(device.threads_per_multiprocessor);
        threads * f64::from(self.loads_under_way) * self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost() -> Cost {
        Cost {
            threads: 256,
            iterations: 1,
            loads: 2.0,
            stores: 1.0,
            bytes: 4.0,
            loads_under_way: 2,
            registers: 32,
            shared_loads: false,
            shared: 0,
        }
    }

    #[test]
    fn registers_and_shared_memory_limit_the_threads() {
        let device = DeviceModel::named("sm_90").unwrap();
        assert_eq!(cost().occupancy(device), 1.0);
        assert_eq!(Cost { registers: 128, ..cost() }.occupancy(device), 0.25);
        assert_eq!(Cost { shared: 57 << 10, ..cost() }.occupancy(device), 0.5);
    }

    #[test]
    fn steps_change_what_an_iteration_costs() {
        let schedule: Schedule = "block(128) vectorize(4)".parse().unwrap();
        let with = cost().under(&schedule);
        assert_eq!((with.threads, with.iterations, with.loads, with.loads_under_way), (128, 4, 0.5, 8));
        let device = DeviceModel::named("sm_90").unwrap();
        assert!(with.bytes_under_way(device) > cost().bytes_under_way(device));
    }
}
