//! Kernels of the cpu device: functions that the host compiler put into the program.

use crate::device::Function;
use crate::error::{DeviceError, Result};
use accl_abi::{Kernel, Module, Variant, needs};

/// Asks for a kernel's version for arrays that do not overlap, which is none of its variants.
pub static APART: Variant = Variant {
    symbol: std::ptr::null(),
    needs: needs::NOALIAS,
    block: [1; 3],
    per_thread: [1; 3],
    shared_bytes: 0,
    femtoseconds: 0,
};

/// The kernel's entry: every variant has the same, but that there may be another for arrays that do not overlap.
pub fn function(_: &Module, kernel: &Kernel, variant: &Variant) -> Result<Function> {
    let apart = kernel.cpu_apart.filter(|_| std::ptr::eq(variant, &raw const APART));
    let entry = apart
        .or(kernel.cpu)
        .ok_or_else(|| DeviceError::new("the program was built without code for the cpu"))?;
    Ok(Function {
        raw: entry as usize,
        block_threads: u32::MAX,
        symbol: String::new(),
        awaits: false,
        splits: false,
        measured: 0,
        cost: 0.into(),
    })
}
