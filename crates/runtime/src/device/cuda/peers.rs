//! Copies between two GPUs, straight from one's memory to the other's where the machine has a way for that (PCI Express or
//! NVLink), else by the driver through the host's.

use super::*;
use std::collections::BTreeSet;

/// The devices whose memory this one has been let into, or cannot reach.
#[derive(Default)]
pub struct Peers(std::sync::Mutex<BTreeSet<c_int>>);

/// # Safety
/// As for `Device::copy_between`; the device's context is current.
pub unsafe fn copy(
    device: &CudaDevice,
    queue: QueueId,
    to: (&dyn Device, u64),
    from: (&dyn Device, u64),
    bytes: usize,
) -> Result<bool> {
    let both_cuda = [to.0, from.0].iter().all(|device| device.info().kind == Kind::Cuda);
    let Some(copy) = device.api.cuMemcpyPeerAsync.filter(|_| both_cuda) else { return Ok(false) };
    let other = if to.0.info().number == device.info.number { from.0 } else { to.0 };
    let contexts = [to.0, from.0].map(|device| device.native_handles().1);
    let_in(device, other.native_handles());
    let stream = device.queues.get(queue)?.stream;
    // SAFETY: the caller's promise; contexts live as long as the process.
    let code = unsafe { copy(to.1, contexts[0], from.1, contexts[1], bytes, stream) };
    device.api.check(code, "cuMemcpyPeerAsync")?;
    Ok(true)
}

/// Lets this device into the other's memory. Without it copies take the way through the host, so a refusal is no error.
fn let_in(device: &CudaDevice, (number, context): (*mut c_void, Handle)) {
    let number = number as usize as c_int;
    let mut known = device.peers.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !known.insert(number) {
        return;
    }
    let (Some(can), Some(enable)) = (device.api.cuDeviceCanAccessPeer, device.api.cuCtxEnablePeerAccess)
    else {
        return;
    };
    let mut possible = 0;
    // SAFETY: two devices of this machine, room for the answer, and a context that lives as long as the process.
    unsafe {
        if can(&raw mut possible, device.device, number) == 0 && possible != 0 {
            enable(context, 0);
        }
    }
}
