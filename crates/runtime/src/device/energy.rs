//! The energy that NVIDIA's devices have taken, by NVML: `accl tune --objective energy` asks before and after a run of the program.
//!
//! The counter is the device's own, in millijoules since the driver was loaded; it changes every few tens of milliseconds, so that only
//! whole runs can be told apart. NVML's numbers of devices do not follow `CUDA_VISIBLE_DEVICES`, so that list is followed here.

use crate::device::library::{self, functions};
use crate::error::{DeviceError, Result};
use std::ffi::{CString, c_char, c_int, c_uint, c_ulonglong, c_void};

functions! {
    /// What is used of `libnvidia-ml.so.1`.
    pub struct Nvml {
        fn nvmlInit [nvmlInit_v2] () -> c_int;
        fn nvmlDeviceGetHandleByIndex [nvmlDeviceGetHandleByIndex_v2] (c_uint, *mut *mut c_void) -> c_int;
        fn nvmlDeviceGetHandleByUUID(*const c_char, *mut *mut c_void) -> c_int;
        fn nvmlDeviceGetTotalEnergyConsumption(*mut c_void, *mut c_ulonglong) -> c_int;
    }
    optional {}
}

/// The counter of a device.
pub struct EnergyCounter {
    nvml: Nvml,
    /// An address in NVML, which threads may share.
    device: usize,
}

impl EnergyCounter {
    /// Of the device that CUDA gives this number.
    pub fn of_device(number: u32) -> Result<EnergyCounter> {
        let nvml = Nvml::load(library::open(&["libnvidia-ml.so.1"])?)?;
        // SAFETY: may be called at any time, and more than once.
        checked("nvmlInit", unsafe { (nvml.nvmlInit)() })?;
        let visible = std::env::var("CUDA_VISIBLE_DEVICES").unwrap_or_default();
        let mut device = std::ptr::null_mut();
        let code = match named(&visible, number) {
            DeviceName::Number(index) => {
                // SAFETY: NVML is initialised, and the handle is a place to write to.
                unsafe { (nvml.nvmlDeviceGetHandleByIndex)(index, &raw mut device) }
            }
            DeviceName::Uuid(uuid) => {
                let text = CString::new(uuid).map_err(|why| DeviceError::new(why.to_string()))?;
                // SAFETY: as above; the text ends with a zero.
                unsafe { (nvml.nvmlDeviceGetHandleByUUID)(text.as_ptr(), &raw mut device) }
            }
        };
        checked("nvmlDeviceGetHandle", code)?;
        let counter = EnergyCounter { nvml, device: device as usize };
        counter.joules()?;
        Ok(counter)
    }

    /// What the device has taken until now.
    pub fn joules(&self) -> Result<f64> {
        let mut millijoules = 0;
        // SAFETY: a handle of NVML's, and a place to write to.
        let code = unsafe {
            (self.nvml.nvmlDeviceGetTotalEnergyConsumption)(self.device as *mut c_void, &raw mut millijoules)
        };
        checked("nvmlDeviceGetTotalEnergyConsumption", code)?;
        Ok(millijoules as f64 * 1e-3)
    }
}

/// How NVML knows a device.
#[derive(Debug, PartialEq)]
enum DeviceName {
    Number(u32),
    Uuid(String),
}

/// The device that CUDA gives a number. `visible`: CUDA_VISIBLE_DEVICES.
fn named(visible: &str, number: u32) -> DeviceName {
    match visible.split(',').map(str::trim).nth(number as usize) {
        Some("") | None => DeviceName::Number(number),
        Some(name) => name.parse().map_or_else(|_| DeviceName::Uuid(name.to_owned()), DeviceName::Number),
    }
}

fn checked(function: &str, code: c_int) -> Result<()> {
    // NVML_ERROR_NOT_SUPPORTED
    const NOT_SUPPORTED: c_int = 3;
    match code {
        0 => Ok(()),
        NOT_SUPPORTED => Err(DeviceError::new("the device counts no energy (it takes Volta or newer)")),
        code => Err(DeviceError::new(format!("{function} gave error {code}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nvml_counts_all_devices() {
        let number = DeviceName::Number;
        assert_eq!((named("", 1), named("3,2", 1), named("3", 1)), (number(1), number(2), number(1)));
        assert_eq!(named("GPU-1f", 0), DeviceName::Uuid("GPU-1f".into()));
    }
}
