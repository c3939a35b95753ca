//! The host's processor as a device.
//!
//! Kernels are C functions compiled into the program; they run on a pool of threads that the
//! calling thread is a part of. A launch is complete when it returns: queues exist only as names.
//! OpenACC allows that, and a second pool would compete for the same cores.
//!
//! Memory is the host's own by default, so that data clauses copy nothing. With
//! `ACCL_CPU_MEMORY=separate` the device has copies of its own, filled with 0xA5 where nothing was
//! copied in, so that a missing data clause shows without a GPU.

mod launch;
mod memory;
mod module;
mod queue;

pub use module::APART;

use super::thread_pool::ThreadPool;
use super::*;
use crate::config::Config;

pub struct CpuDevice {
    info: DeviceInfo,
    separate: bool,
    pool: ThreadPool,
    queues: queue::Queues,
}

/// The processor's description.
pub fn info() -> DeviceInfo {
    DeviceInfo {
        kind: Kind::Cpu,
        number: 0,
        name: memory::processor_name(),
        vendor: "host".into(),
        driver: env!("CARGO_PKG_VERSION").into(),
        memory: memory::total(),
        compute_units: config().threads as u32,
        architecture: std::env::consts::ARCH.into(),
        cache: 0,
        is_accelerator: false,
    }
}

impl CpuDevice {
    pub fn open(config: &Config) -> CpuDevice {
        CpuDevice {
            info: info(),
            separate: config.cpu_separate,
            pool: ThreadPool::new(config.threads),
            queues: queue::Queues::new(),
        }
    }

    /// Without memory of its own, whatever the program's cpu device has.
    pub fn with_memory_of_host(config: &Config) -> CpuDevice {
        CpuDevice { separate: false, ..CpuDevice::open(config) }
    }
}

impl Device for CpuDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn host_address(&self, address: u64) -> Option<*mut u8> {
        Some(address as *mut u8)
    }

    fn limits(&self) -> Limits {
        // Arrays of a block are on the stack of the thread that runs it.
        Limits {
            block_threads: u32::MAX,
            grid: [u32::MAX; 3],
            resident_threads: 1,
            block_memory: 1 << 20,
            tensor_f64: false,
            clusters: false,
        }
    }

    fn shares_host_memory(&self) -> bool {
        !self.separate
    }

    fn free_memory(&self) -> u64 {
        memory::free()
    }

    fn allocate(&self, bytes: usize) -> Result<u64> {
        memory::allocate(bytes)
    }

    unsafe fn release(&self, address: u64, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise is the one asked for.
        unsafe { memory::release(address, bytes) };
        Ok(())
    }

    unsafe fn upload(&self, _: QueueId, to: u64, from: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: device addresses are host addresses here; the rest is the caller's promise.
        unsafe { std::ptr::copy(from, to as *mut u8, bytes) };
        Ok(())
    }

    unsafe fn download(&self, _: QueueId, from: u64, to: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: as in `upload`.
        unsafe { std::ptr::copy(from as *const u8, to, bytes) };
        Ok(())
    }

    unsafe fn copy(&self, _: QueueId, to: u64, from: u64, bytes: usize) -> Result<()> {
        // SAFETY: as in `upload`.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
        Ok(())
    }

    unsafe fn fill(&self, _: QueueId, to: u64, byte: u8, bytes: usize) -> Result<()> {
        // SAFETY: as in `upload`.
        unsafe { std::ptr::write_bytes(to as *mut u8, byte, bytes) };
        Ok(())
    }

    fn new_queue(&self) -> Result<QueueId> {
        Ok(self.queues.create())
    }

    fn adopt_queue(&self, _: *mut c_void) -> Result<QueueId> {
        Err(crate::error::DeviceError::new("the host has no streams"))
    }

    fn native_queue(&self, _: QueueId) -> *mut c_void {
        std::ptr::null_mut()
    }

    fn finish(&self, _: QueueId) -> Result<()> {
        Ok(())
    }

    fn finished(&self, _: QueueId) -> Result<bool> {
        Ok(true)
    }

    fn order_after(&self, _: QueueId, _: QueueId) -> Result<()> {
        Ok(())
    }

    fn mark(&self, _: QueueId) -> Result<Mark> {
        Ok(Mark::Host(Instant::now()))
    }

    fn elapsed(&self, from: Mark, to: Mark) -> Result<f64> {
        match (from, to) {
            (Mark::Host(from), Mark::Host(to)) => Ok((to - from).as_secs_f64()),
            _ => Err(crate::error::DeviceError::new("a mark of another device")),
        }
    }

    fn forget(&self, _: Mark) {}

    fn function(
        &self,
        module: &'static Module,
        kernel: &'static Kernel,
        variant: &'static Variant,
    ) -> Result<Function> {
        module::function(module, kernel, variant)
    }

    fn resident_blocks(&self, _: &Function, _: u32, _: u32) -> u32 {
        self.pool.threads() as u32
    }

    fn threads_for(&self, kernel: &Kernel, trips: &[i64; 3], gangs: i64) -> u32 {
        launch::parts(&self.pool, launch::extent(&self.pool, kernel, trips, gangs).0, gangs) as u32
    }

    unsafe fn launch(&self, _: QueueId, function: &Function, launch: &Launch) -> Result<()> {
        // SAFETY: the caller's promise is the one asked for.
        unsafe { launch::run(&self.pool, function, launch) };
        Ok(())
    }
}
