//! Kernels that the device's language cannot express, and those whose gangs wait for each other, on devices that run a few at
//! a time: the cpu runs them.
//!
//! OpenCL C allocates no memory, and neither it nor CUDA has arrays of variable length. The compiler has said so. Such a kernel runs as
//! constructs do that the host runs ([`on_host`](crate::on_host)): the host's memory has the device's contents meanwhile. The
//! cpu device here has no memory of its own, whatever the program's cpu device has.

use super::plan::plan;
use super::prepare::{Prepared, prepare_for_host};
use super::start::start;
use crate::call::CallContext;
use crate::config::config;
use crate::device::Kind;
use crate::device::cpu::CpuDevice;
use crate::state::DeviceState;
use crate::{log, on_host, storage};
use accl_abi::{Kernel, LaunchInfo, Var, arg_kind, data_kind, kernel_flags, slice};
use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock};

/// True where the call's device has no code of the kernel, or cannot run its gangs side by side.
#[inline]
pub fn is_needed(call: &CallContext, kernel: &Kernel) -> bool {
    if kernel.flags & (kernel_flags::NO_CUDA | kernel_flags::NO_OPENCL | kernel_flags::WAITS) == 0 {
        return false;
    }
    !has_code(call, kernel) || waits_in_vain(call, kernel)
}

fn has_code(call: &CallContext, kernel: &Kernel) -> bool {
    match call.state.device.info().kind {
        Kind::Cuda => kernel.flags & kernel_flags::NO_CUDA == 0,
        Kind::OpenCl => kernel.flags & kernel_flags::NO_OPENCL == 0,
        Kind::Cpu => true,
    }
}

/// A processor runs as many work-groups of OpenCL as it has cores, and others when these end.
fn waits_in_vain(call: &CallContext, kernel: &Kernel) -> bool {
    let info = call.state.device.info();
    info.kind == Kind::OpenCl && !info.is_accelerator && kernel.flags & kernel_flags::WAITS != 0
}

/// Runs the kernel. False: arrays overlap, and nothing is started, since the kernel has a fallback for that.
///
/// # Safety
/// As for [`launch`](super::launch).
#[cold]
pub unsafe fn launch(call: &CallContext, info: &LaunchInfo) -> bool {
    // SAFETY: constant tables of the program.
    let kernel: &'static Kernel = unsafe { &*info.kernel };
    // SAFETY: the caller's promise.
    let mut vars = unsafe { variables(info, kernel) };
    if vars.iter().any(|var| !var.format.is_null()) {
        call.fatal(
            0,
            "the cpu runs this kernel for the device, and cannot read compressed arrays there",
            &[],
        );
    }
    tell_once(call, kernel);
    let synchronous = CallContext::on(call.state, call.location);
    on_host::begin(&synchronous, &vars);
    let on_cpu = CallContext::on(cpu(), call.location);
    // Every address is the host's now.
    vars.iter_mut().for_each(|var| var.kind = data_kind::DEVICEPTR);
    let mut prepared = Prepared::default();
    // SAFETY: the caller's promise; the kernel has an entry on the cpu, or the file would not have been compiled.
    let started = unsafe {
        let started = prepare_for_host(&synchronous, &on_cpu, info, &mut vars, &mut prepared);
        if started {
            let (plan, _) = plan(&on_cpu, &storage::exclusive(&on_cpu), info, &mut prepared);
            start(&on_cpu, info, &prepared.given, &plan);
        }
        started
    };
    on_host::end(call.location);
    started
}

/// The variables that the kernel's arguments name.
///
/// # Safety
/// As for [`launch`](super::launch).
unsafe fn variables(info: &LaunchInfo, kernel: &Kernel) -> Vec<Var> {
    // SAFETY: a constant table.
    let table = unsafe { slice(kernel.args, kernel.n_args) };
    let of_variables = [arg_kind::DATA, arg_kind::CODEC, arg_kind::STRIDE, arg_kind::EXTENT];
    let named = table.iter().filter(|arg| of_variables.contains(&arg.kind));
    let count = named.map(|arg| arg.index + 1).max().unwrap_or(0);
    // SAFETY: the launch has as many.
    unsafe { slice(info.vars, count) }.to_vec()
}

/// The cpu with the host's own memory.
fn cpu() -> &'static DeviceState {
    static CPU: OnceLock<&'static DeviceState> = OnceLock::new();
    CPU.get_or_init(|| {
        Box::leak(Box::new(DeviceState::new(Box::new(CpuDevice::with_memory_of_host(config())))))
    })
}

fn tell_once(call: &CallContext, kernel: &Kernel) {
    static TOLD: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
    if TOLD
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .insert(std::ptr::from_ref(call.location.0) as usize)
    {
        let (kind, place) = (call.state.device.info().kind.name(), call.location.describe(0));
        let why = match has_code(call, kernel) {
            true => "whose gangs may wait for each other".to_owned(),
            false => format!("since there is no {kind} code of it"),
        };
        log::warning(&format!("{place}: the cpu runs this kernel, {why}"));
    }
}
