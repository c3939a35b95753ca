//! Kernels of the cpu device: functions that the host compiler put into the program.

use crate::device::Function;
use crate::error::{DeviceError, Result};
use accl_abi::{Kernel, Module, Variant};

/// The kernel's entry; every variant has the same.
pub fn function(_: &Module, kernel: &Kernel, _: &Variant) -> Result<Function> {
    let entry =
        kernel.cpu.ok_or_else(|| DeviceError::new("the program was built without code for the cpu"))?;
    Ok(Function {
        raw: entry as usize,
        block_threads: u32::MAX,
        symbol: String::new(),
        awaits: false,
        measured: 0,
        cost: 0.into(),
    })
}
