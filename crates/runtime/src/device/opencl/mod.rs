//! Devices of OpenCL 1.2 and later; the library is loaded at run time.
//!
//! OpenCL 1.2 has no device addresses: a kernel is given buffers. Addresses here are numbers from a
//! range that no process has memory in (`memory.rs`), or, where memory is shared virtual memory of
//! OpenCL 2.0, the real ones, so that pointers can be attached. In either case an array argument becomes two parameters, the
//! buffer and the distance in bytes from its beginning to the array's base, which may be negative.
//! A reduction becomes three buffers of the runtime's own, without distances.
//!
//! Invariants: every command queue is in-order; a `cl_kernel` is used under its lock, because its
//! arguments are a part of it.

mod api;
mod barriers;
mod launch;
mod memory;
mod module;
mod queue;

use super::*;
use crate::config::Config;
use crate::config::OPENCL_LOADER;
use crate::error::DeviceError;
use api::{Api, Handle, api, check};

pub struct OpenClDevice {
    info: DeviceInfo,
    api: &'static Api,
    device: Handle,
    context: Handle,
    block_threads: u32,
    block_memory: u64,
    /// Float division and square root can be exact to half a unit.
    rounds_division: bool,
    memory: memory::Buffers,
    queues: queue::Queues,
    programs: module::Programs,
}

// SAFETY: OpenCL objects may be used from any thread (OpenCL 1.2 appendix A.2), kernels excepted.
unsafe impl Send for OpenClDevice {}
// SAFETY: as above.
unsafe impl Sync for OpenClDevice {}

/// The OpenCL devices of this machine, accelerators first.
pub fn probe() -> Result<Vec<DeviceInfo>> {
    let api = api()?;
    let found = api.devices()?;
    Ok(found.iter().enumerate().map(|(number, (_, device))| info(api, number, *device)).collect())
}

/// False where the only driver installed is PoCL for the host's processor. Starting it takes up to
/// a third of a second, which a program that will not use it should not pay.
pub fn may_have_accelerator() -> bool {
    let Ok(drivers) = std::fs::read_dir("/etc/OpenCL/vendors") else { return true };
    OPENCL_LOADER.iter().any(|(name, _)| std::env::var_os(name).is_some())
        || drivers
            .filter_map(|driver| std::fs::read_to_string(driver.ok()?.path()).ok())
            .any(|library| !library.contains("libpocl"))
}

/// NVIDIA's OpenCL tells the size of the multiprocessors' own caches.
const LEAST_CACHE: u64 = 32 << 20;

fn info(api: &Api, number: usize, device: Handle) -> DeviceInfo {
    DeviceInfo {
        kind: Kind::OpenCl,
        number,
        name: api.device_text(device, api::DEVICE_NAME),
        vendor: api.device_text(device, api::DEVICE_VENDOR),
        driver: api.device_text(device, api::DRIVER_VERSION),
        memory: api.device_number(device, api::DEVICE_GLOBAL_MEM_SIZE),
        compute_units: api.device_number(device, api::DEVICE_MAX_COMPUTE_UNITS) as u32,
        cache: api.device_number(device, api::DEVICE_GLOBAL_MEM_CACHE_SIZE).max(LEAST_CACHE),
        architecture: api.device_text(device, api::DEVICE_VERSION),
        is_accelerator: api.device_number(device, api::DEVICE_TYPE) & api::DEVICE_TYPE_CPU == 0,
    }
}

impl OpenClDevice {
    pub fn open(info: &DeviceInfo, config: &Config) -> Result<OpenClDevice> {
        let api = api()?;
        let devices = api.devices()?;
        let (_, device) = *devices.get(info.number).ok_or_else(|| DeviceError::new("the device is gone"))?;
        let mut code = 0;
        // SAFETY: one device; no properties and no callback.
        let context = unsafe {
            (api.clCreateContext)(
                std::ptr::null(),
                1,
                &raw const device,
                std::ptr::null(),
                std::ptr::null_mut(),
                &raw mut code,
            )
        };
        check(code, "clCreateContext")?;
        Ok(OpenClDevice {
            info: info.clone(),
            api,
            device,
            context,
            block_threads: api.device_number(device, api::DEVICE_MAX_WORK_GROUP_SIZE).clamp(1, 1 << 20)
                as u32,
            block_memory: api.device_number(device, api::DEVICE_LOCAL_MEM_SIZE),
            rounds_division: api.device_number(device, api::DEVICE_SINGLE_FP_CONFIG)
                & api::FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
                != 0,
            memory: memory::Buffers::new(info.number, memory::uses_svm(api, device, config)),
            queues: queue::Queues::new(
                api,
                context,
                device,
                config.time || config.trace.is_some() || config.replay.is_some(),
            )?,
            programs: module::Programs::default(),
        })
    }
}

impl Device for OpenClDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn limits(&self) -> Limits {
        // Not told by OpenCL: 2048 on a multiprocessor of NVIDIA's, as many on a compute unit of AMD's.
        let each = if self.info.is_accelerator { 2048 } else { 64 };
        let resident_threads = u64::from(self.info.compute_units) * each;
        let (block_threads, grid) = (self.block_threads, [i32::MAX as u32; 3]);
        Limits {
            block_threads,
            grid,
            resident_threads,
            block_memory: self.block_memory,
            tensor_f64: false,
            clusters: false,
        }
    }

    fn free_memory(&self) -> u64 {
        0
    }

    fn allocate(&self, bytes: usize) -> Result<u64> {
        self.memory.allocate(self.api, self.context, bytes)
    }

    unsafe fn release(&self, address: u64, _: usize) -> Result<()> {
        self.memory.release(self.api, self.context, address)
    }

    unsafe fn upload(&self, queue: QueueId, to: u64, from: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise is the one asked for.
        unsafe { memory::upload(self, queue, to, from, bytes) }
    }

    unsafe fn download(&self, queue: QueueId, from: u64, to: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: as in `upload`.
        unsafe { memory::download(self, queue, from, to, bytes) }
    }

    unsafe fn copy(&self, queue: QueueId, to: u64, from: u64, bytes: usize) -> Result<()> {
        memory::copy(self, queue, to, from, bytes)
    }

    unsafe fn fill(&self, queue: QueueId, to: u64, byte: u8, bytes: usize) -> Result<()> {
        memory::fill(self, queue, to, &[byte], bytes)
    }

    unsafe fn upload_rectangle(
        &self,
        queue: QueueId,
        to: u64,
        from: *const u8,
        shape: Rectangle,
    ) -> Result<()> {
        // SAFETY: as in `upload`.
        unsafe { memory::upload_rectangle(self, queue, to, from, shape) }
    }

    unsafe fn download_rectangle(
        &self,
        queue: QueueId,
        from: u64,
        to: *mut u8,
        shape: Rectangle,
    ) -> Result<()> {
        // SAFETY: as in `upload`.
        unsafe { memory::download_rectangle(self, queue, from, to, shape) }
    }

    fn new_queue(&self) -> Result<QueueId> {
        self.queues.create(self.api, self.context, self.device)
    }

    fn adopt_queue(&self, _: *mut c_void) -> Result<QueueId> {
        Err(DeviceError::new("OpenCL devices have no CUDA streams"))
    }

    fn native_queue(&self, queue: QueueId) -> *mut c_void {
        self.queues.get(queue).map_or(std::ptr::null_mut(), |queue| queue.handle)
    }

    fn finish(&self, queue: QueueId) -> Result<()> {
        self.queues.get(queue)?.finish(self.api)
    }

    fn finished(&self, queue: QueueId) -> Result<bool> {
        self.queues.get(queue)?.finished(self.api)
    }

    fn order_after(&self, later: QueueId, earlier: QueueId) -> Result<()> {
        self.queues.order(self.api, later, earlier)
    }

    fn has_marks(&self) -> bool {
        self.queues.profiling
    }

    fn mark(&self, queue: QueueId) -> Result<Mark> {
        Ok(Mark::Event(self.queues.get(queue)?.marker(self.api)? as usize))
    }

    fn elapsed(&self, from: Mark, to: Mark) -> Result<f64> {
        Ok((queue::time(self.api, to)? - queue::time(self.api, from)?) * 1e-9)
    }

    fn forget(&self, mark: Mark) {
        if let Mark::Event(event) = mark {
            // SAFETY: an event made by `mark`.
            unsafe { (self.api.clReleaseEvent)(event as Handle) };
        }
    }

    fn function(
        &self,
        module: &'static Module,
        _: &'static Kernel,
        variant: &'static Variant,
    ) -> Result<Function> {
        module::function(self, module, variant)
    }

    fn resident_blocks(&self, _: &Function, _: u32, _: u32) -> u32 {
        self.info.compute_units * if self.info.is_accelerator { 8 } else { 4 }
    }

    unsafe fn launch(&self, queue: QueueId, function: &Function, launch: &Launch) -> Result<()> {
        // SAFETY: the caller's promise is the one asked for.
        unsafe { launch::run(self, queue, function, launch) }
    }

    fn prepare_for_pointers(&self) -> Result<()> {
        self.memory.prepare_for_pointers()
    }

    fn native_handles(&self) -> (*mut c_void, *mut c_void) {
        (self.device, self.context)
    }
}
