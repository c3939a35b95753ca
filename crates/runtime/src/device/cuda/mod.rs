//! NVIDIA GPUs through the CUDA driver, which is loaded at run time.
//!
//! The runtime works in the device's primary context, so that CUDA libraries and the user's own
//! CUDA code in the same process see the same memory. Queues are streams that keep in order with
//! the legacy default stream, where such code runs if it does not say otherwise.
//!
//! Kernels without an image that fits are compiled one variant at a time (`parts`), those that are launched first first, the others
//! by threads in the `background`.
//!
//! Invariants: every function makes the context current for its thread before it calls the
//! driver, since other code may have changed it; nothing is put on the default stream.

mod api;
mod arrivals;
mod background;
mod compiler;
mod launch;
mod memory;
mod module;
pub mod nvrtc;
pub mod parts;
mod peers;
mod queue;
mod staging;

use super::*;
use crate::config::Config;
use crate::error::DeviceError;
use api::{Api, Handle, api};
use std::ffi::c_int;
use std::sync::Arc;

pub struct CudaDevice {
    info: DeviceInfo,
    api: &'static Api,
    device: c_int,
    context: Handle,
    limits: Limits,
    /// Compute capability, 90 for sm_90.
    capability: u32,
    target: Arc<compiler::CompileTarget>,
    queues: queue::Queues,
    modules: module::Modules,
    staging: staging::Staging,
    events: std::sync::Mutex<Vec<usize>>,
    peers: peers::Peers,
}

// SAFETY: driver objects may be used from any thread that has the context current.
unsafe impl Send for CudaDevice {}
// SAFETY: as above.
unsafe impl Sync for CudaDevice {}

/// The CUDA devices of this machine.
pub fn probe() -> Result<Vec<DeviceInfo>> {
    let api = api()?;
    let mut count = 0;
    // SAFETY: room for the count.
    api.check(unsafe { (api.cuDeviceGetCount)(&raw mut count) }, "cuDeviceGetCount")?;
    if count == 0 {
        return Err(DeviceError::new(
            "the CUDA driver is installed, but this machine has no NVIDIA GPU it can use",
        ));
    }
    (0..count).map(|number| info(api, number)).collect()
}

/// True where there is a device to be driven, whether or not it can be used.
pub fn is_installed() -> bool {
    std::path::Path::new("/dev/nvidia0").exists()
}

fn handle(api: &Api, number: c_int) -> Result<c_int> {
    let mut device = 0;
    // SAFETY: room for the handle.
    api.check(unsafe { (api.cuDeviceGet)(&raw mut device, number) }, "cuDeviceGet")?;
    Ok(device)
}

fn info(api: &Api, number: c_int) -> Result<DeviceInfo> {
    let device = handle(api, number)?;
    let mut name = [0u8; 256];
    let (mut memory, mut version) = (0usize, 0);
    // SAFETY: room for 256 bytes, terminated, and for both numbers.
    unsafe {
        api.check((api.cuDeviceGetName)(name.as_mut_ptr().cast(), 255, device), "cuDeviceGetName")?;
        api.check((api.cuDeviceTotalMem)(&raw mut memory, device), "cuDeviceTotalMem")?;
        api.check((api.cuDriverGetVersion)(&raw mut version), "cuDriverGetVersion")?;
    }
    let name = std::ffi::CStr::from_bytes_until_nul(&name).unwrap_or_default();
    let capability = capability(api, device);
    Ok(DeviceInfo {
        kind: Kind::Cuda,
        number: number as usize,
        name: name.to_string_lossy().into_owned(),
        vendor: "NVIDIA".into(),
        driver: format!("{}.{}", version / 1000, version % 1000 / 10),
        memory: memory as u64,
        compute_units: api.attribute(device, api::MULTIPROCESSORS),
        cache: api.attribute(device, api::L2_CACHE_SIZE).into(),
        architecture: format!("sm_{capability}"),
        is_accelerator: true,
    })
}

fn capability(api: &Api, device: c_int) -> u32 {
    api.attribute(device, api::CAPABILITY_MAJOR) * 10 + api.attribute(device, api::CAPABILITY_MINOR)
}

impl CudaDevice {
    pub fn open(info: &DeviceInfo, _: &Config) -> Result<CudaDevice> {
        let api = api()?;
        let device = handle(api, info.number as c_int)?;
        let capability = capability(api, device);
        let target = Arc::new(compiler::CompileTarget::of(info, capability));
        // Before the context is made, which takes a while.
        background::compile(parts::registered(&target));
        let mut context = std::ptr::null_mut();
        // SAFETY: a device of this machine; the context is kept until the process ends.
        unsafe {
            api.check((api.cuDevicePrimaryCtxRetain)(&raw mut context, device), "cuDevicePrimaryCtxRetain")?;
            api.check((api.cuCtxSetCurrent)(context), "cuCtxSetCurrent")?;
        }
        Ok(CudaDevice {
            info: info.clone(),
            api,
            device,
            context,
            limits: Limits {
                block_threads: api.attribute(device, api::MAX_BLOCK_THREADS),
                grid: api::MAX_GRID.map(|attribute| api.attribute(device, attribute)),
                resident_threads: u64::from(api.attribute(device, api::MULTIPROCESSORS))
                    * u64::from(api.attribute(device, api::MULTIPROCESSOR_THREADS)),
                block_memory: api.attribute(device, api::MAX_BLOCK_SHARED).into(),
                // Others have the instruction, but no units that are worth it.
                tensor_f64: matches!(capability, 80 | 90 | 100),
                clusters: capability >= 90,
            },
            capability,
            target,
            queues: queue::Queues::new(api)?,
            modules: module::Modules::default(),
            staging: staging::Staging::new(),
            events: std::sync::Mutex::default(),
            peers: peers::Peers::default(),
        })
    }

    /// Makes the context current for the calling thread.
    #[inline]
    fn enter(&self) -> Result<()> {
        let mut current = std::ptr::null_mut();
        // SAFETY: room for the handle; the context lives as long as the process.
        unsafe {
            if (self.api.cuCtxGetCurrent)(&raw mut current) == 0 && current == self.context {
                return Ok(());
            }
            self.api.check((self.api.cuCtxSetCurrent)(self.context), "cuCtxSetCurrent")
        }
    }
}

impl Device for CudaDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn free_memory(&self) -> u64 {
        let (mut free, mut total) = (0usize, 0usize);
        // SAFETY: room for both numbers.
        let code = self.enter().map(|()| unsafe { (self.api.cuMemGetInfo)(&raw mut free, &raw mut total) });
        if code == Ok(0) { free as u64 } else { 0 }
    }

    fn allocate(&self, bytes: usize) -> Result<u64> {
        self.enter()?;
        memory::allocate(self.api, bytes)
    }

    fn is_own_address(&self, address: u64) -> bool {
        memory::is_of_device(self.api, address)
    }

    unsafe fn release(&self, address: u64, _: usize) -> Result<()> {
        self.enter()?;
        // SAFETY: the caller's promise.
        self.api.check(unsafe { (self.api.cuMemFree)(address) }, "cuMemFree")
    }

    unsafe fn upload(&self, queue: QueueId, to: u64, from: *const u8, bytes: usize) -> Result<()> {
        self.enter()?;
        // SAFETY: the caller's promise is the one asked for.
        unsafe { memory::upload(self, queue, to, from, bytes) }
    }

    unsafe fn download(&self, queue: QueueId, from: u64, to: *mut u8, bytes: usize) -> Result<()> {
        self.enter()?;
        // SAFETY: as in `upload`.
        unsafe { memory::download(self, queue, from, to, bytes) }
    }

    unsafe fn upload_made(
        &self,
        queue: QueueId,
        to: u64,
        bytes: usize,
        unit: usize,
        make: Make,
    ) -> Result<()> {
        self.enter()?;
        // SAFETY: as in `upload`.
        unsafe { memory::upload_made(self, queue, to, bytes, unit, make) }
    }

    unsafe fn download_taken(
        &self,
        queue: QueueId,
        from: u64,
        bytes: usize,
        unit: usize,
        take: Make,
    ) -> Result<()> {
        self.enter()?;
        // SAFETY: as in `upload`.
        unsafe { memory::download_taken(self, queue, from, bytes, unit, take) }
    }

    unsafe fn copy(&self, queue: QueueId, to: u64, from: u64, bytes: usize) -> Result<()> {
        self.enter()?;
        let stream = self.queues.get(queue)?.stream;
        // SAFETY: the caller's promise.
        self.api.check(unsafe { (self.api.cuMemcpyDtoDAsync)(to, from, bytes, stream) }, "cuMemcpyDtoDAsync")
    }

    unsafe fn copy_between(
        &self,
        queue: QueueId,
        to: (&dyn Device, u64),
        from: (&dyn Device, u64),
        bytes: usize,
    ) -> Result<bool> {
        self.enter()?;
        // SAFETY: the caller's promise is the one asked for.
        unsafe { peers::copy(self, queue, to, from, bytes) }
    }

    unsafe fn fill(&self, queue: QueueId, to: u64, byte: u8, bytes: usize) -> Result<()> {
        self.enter()?;
        let stream = self.queues.get(queue)?.stream;
        // SAFETY: the caller's promise.
        self.api.check(unsafe { (self.api.cuMemsetD8Async)(to, byte, bytes, stream) }, "cuMemsetD8Async")
    }

    unsafe fn upload_rectangle(
        &self,
        queue: QueueId,
        to: u64,
        from: *const u8,
        shape: Rectangle,
    ) -> Result<()> {
        self.enter()?;
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
        self.enter()?;
        // SAFETY: as in `upload`.
        unsafe { memory::download_rectangle(self, queue, from, to, shape) }
    }

    fn new_queue(&self) -> Result<QueueId> {
        self.enter()?;
        self.queues.create(self.api)
    }

    fn adopt_queue(&self, native: *mut c_void) -> Result<QueueId> {
        self.enter()?;
        self.queues.adopt(self.api, native)
    }

    fn native_queue(&self, queue: QueueId) -> *mut c_void {
        self.queues.get(queue).map_or(std::ptr::null_mut(), |queue| queue.stream)
    }

    fn finish(&self, queue: QueueId) -> Result<()> {
        self.enter()?;
        self.queues.get(queue)?.finish(self)
    }

    fn finished(&self, queue: QueueId) -> Result<bool> {
        self.enter()?;
        self.queues.get(queue)?.finished(self)
    }

    fn order_after(&self, later: QueueId, earlier: QueueId) -> Result<()> {
        self.enter()?;
        self.queues.order(self.api, later, earlier)
    }

    fn mark(&self, queue: QueueId) -> Result<Mark> {
        self.enter()?;
        let free = self.events.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        let event = free.map_or_else(|| queue::event(self.api, 0), |event| Ok(event as Handle))?;
        let stream = self.queues.get(queue)?.stream;
        // SAFETY: an event nobody else has now.
        self.api.check(unsafe { (self.api.cuEventRecord)(event, stream) }, "cuEventRecord")?;
        Ok(Mark::Event(event as usize))
    }

    fn rest(&self, queue: QueueId) -> Result<()> {
        extern "C" fn sleep(_: *mut c_void) {
            std::thread::sleep(std::time::Duration::from_micros(50));
        }
        self.enter()?;
        let Some(launch) = self.api.cuLaunchHostFunc else { return Ok(()) };
        let stream = self.queues.get(queue)?.stream;
        // SAFETY: the function uses nothing, and calls nothing of CUDA.
        self.api.check(unsafe { launch(stream, sleep, std::ptr::null_mut()) }, "cuLaunchHostFunc")
    }

    fn elapsed(&self, from: Mark, to: Mark) -> Result<f64> {
        self.enter()?;
        let (Mark::Event(from), Mark::Event(to)) = (from, to) else {
            return Err(DeviceError::new("a mark of another device"));
        };
        let mut milliseconds = 0f32;
        // SAFETY: events made by `mark`.
        let code =
            unsafe { (self.api.cuEventElapsedTime)(&raw mut milliseconds, from as Handle, to as Handle) };
        self.api.check(code, "cuEventElapsedTime")?;
        Ok(f64::from(milliseconds) * 1e-3)
    }

    fn forget(&self, mark: Mark) {
        if let Mark::Event(event) = mark {
            self.events.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(event);
        }
    }

    fn function(
        &self,
        module: &'static Module,
        kernel: &'static Kernel,
        variant: &'static Variant,
    ) -> Result<Function> {
        self.enter()?;
        module::function(self, module, kernel, variant)
    }

    fn resident_blocks(&self, function: &Function, block_threads: u32, shared_bytes: u32) -> u32 {
        let mut blocks = 0;
        // SAFETY: a function of this device, and room for the number.
        let code = self.enter().map(|()| unsafe {
            (self.api.cuOccupancyMaxActiveBlocksPerMultiprocessor)(
                &raw mut blocks,
                function.raw as Handle,
                block_threads as c_int,
                shared_bytes as usize,
            )
        });
        if code == Ok(0) { blocks.max(1) as u32 * self.info.compute_units } else { self.info.compute_units }
    }

    unsafe fn launch(&self, queue: QueueId, function: &Function, launch: &Launch) -> Result<()> {
        self.enter()?;
        // SAFETY: the caller's promise is the one asked for.
        unsafe { launch::run(self, queue, function, launch) }
    }

    fn native_handles(&self) -> (*mut c_void, *mut c_void) {
        (self.device as usize as *mut c_void, self.context)
    }
}
