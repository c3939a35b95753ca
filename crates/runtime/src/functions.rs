//! Variants that were compiled for a device.

use crate::call::CallContext;
use crate::device::Function;
use accl_abi::{Kernel, Module, Variant, text};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// A variant that was compiled for a device, with what was found out about it.
pub struct Loaded {
    kernel: &'static Kernel,
    position: u32,
    /// Another one in the same bucket, or null.
    next: *const Loaded,
    pub function: Function,
    /// Block size, and the resident blocks for it: `threads << 32 | blocks`.
    pub resident: AtomicU64,
}

/// Variants in use on a device: a hash table that only grows and is read without a lock.
pub struct Functions {
    buckets: [AtomicPtr<Loaded>; BUCKETS],
    /// Held while a variant is compiled.
    loading: Mutex<()>,
}

const BUCKETS: usize = 128;

impl Default for Functions {
    fn default() -> Functions {
        Functions {
            buckets: [const { AtomicPtr::new(std::ptr::null_mut()) }; BUCKETS],
            loading: Mutex::default(),
        }
    }
}

impl Functions {
    fn bucket(&self, kernel: &'static Kernel, position: u32) -> &AtomicPtr<Loaded> {
        let address = std::ptr::from_ref(kernel) as usize;
        &self.buckets[(address / align_of::<Kernel>() + address / 4096 + position as usize) % BUCKETS]
    }

    fn find(&self, kernel: &'static Kernel, position: u32) -> Option<&'static Loaded> {
        let mut next = self.bucket(kernel, position).load(Ordering::Acquire).cast_const();
        // SAFETY: null, or an entry that was whole when it was put here and lives for ever.
        while let Some(entry) = unsafe { next.as_ref() } {
            if std::ptr::eq(entry.kernel, kernel) && entry.position == position {
                return Some(entry);
            }
            next = entry.next;
        }
        None
    }

    /// Adds a variant; `loading` is held.
    fn add(&self, kernel: &'static Kernel, position: u32, function: Function) -> &'static Loaded {
        let bucket = self.bucket(kernel, position);
        let next = bucket.load(Ordering::Relaxed);
        let loaded = Loaded { kernel, position, next, function, resident: AtomicU64::new(0) };
        let loaded: &'static Loaded = Box::leak(Box::new(loaded));
        bucket.store(std::ptr::from_ref(loaded).cast_mut(), Ordering::Release);
        loaded
    }
}

/// The compiled variant; compiles it at its first launch.
pub fn load(
    call: &CallContext,
    module: &'static Module,
    kernel: &'static Kernel,
    position: u32,
    variant: &'static Variant,
) -> &'static Loaded {
    try_load(call, module, kernel, position, variant).unwrap_or_else(|error| {
        // SAFETY: a constant of the program.
        let symbol = unsafe { text(variant.symbol) };
        let kind = call.state.device.info().kind.name();
        call.fatal(0, &format!("kernel {symbol} could not be made ready for the {kind} device: {error}"), &[])
    })
}

/// As [`load`], of kernels that the program can do without.
pub fn try_load(
    call: &CallContext,
    module: &'static Module,
    kernel: &'static Kernel,
    position: u32,
    variant: &'static Variant,
) -> crate::error::Result<&'static Loaded> {
    let functions = &call.state.functions;
    if let Some(loaded) = functions.find(kernel, position) {
        return Ok(loaded);
    }
    let _loading = functions.loading.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(loaded) = functions.find(kernel, position) {
        return Ok(loaded);
    }
    let function = call.state.device.function(module, kernel, variant)?;
    Ok(functions.add(kernel, position, function))
}
