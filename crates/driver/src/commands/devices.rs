//! `accl devices`: the devices to run on, and why one cannot be used.
//!
//! ```text
//! CUDA 0    NVIDIA H200, 139.8 GiB, 132 multiprocessors, sm_90, driver 580.159.04
//! OpenCL    not usable: no OpenCL library (libOpenCL.so.1)
//! CPU 0     16 threads, x86_64
//! ```

use accl_runtime::device::{DeviceInfo, Kind, Probe, probe_all};
use anyhow::Result;

pub fn run() -> Result<u8> {
    for probe in probe_all() {
        match probe {
            Probe::Usable(device) => println!("{:<9} {}", label(&device), description(&device)),
            Probe::Absent { kind, reason } => println!("{:<9} not usable: {reason}", kind.name()),
        }
    }
    println!(
        "\nA program takes the first usable one; ACC_DEVICE_TYPE=cuda|opencl|cpu and ACC_DEVICE_NUM choose."
    );
    Ok(0)
}

fn label(device: &DeviceInfo) -> String {
    format!("{} {}", device.kind.name(), device.number)
}

fn description(device: &DeviceInfo) -> String {
    let units = match device.kind {
        Kind::Cuda => "multiprocessors",
        Kind::OpenCl => "compute units",
        Kind::Cpu => "threads",
    };
    let mut parts = vec![device.name.clone()];
    if device.memory > 0 {
        parts.push(format!("{:.1} GiB", device.memory as f64 / f64::from(1u32 << 30)));
    }
    parts.push(format!("{} {units}", device.compute_units));
    parts.push(device.architecture.clone());
    parts.push(if device.driver.is_empty() { String::new() } else { format!("driver {}", device.driver) });
    parts.push(
        if device.is_accelerator || device.kind == Kind::Cpu { "" } else { "not an accelerator" }.to_owned(),
    );
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}
