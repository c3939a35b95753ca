//! To come.
use super::*;
use crate::config::Config;
use crate::error::DeviceError;
pub fn probe() -> Result<Vec<DeviceInfo>> {
    Err(DeviceError::new("not built in yet"))
}
pub struct CudaDevice;
impl CudaDevice {
    pub fn open(_: &DeviceInfo, _: &Config) -> Result<super::cpu::CpuDevice> {
        Err(DeviceError::new("not built in yet"))
    }
}
