//! The entry points of accl_abi.h, which stand for directives.
//!
//! Invariant: tables passed in are constants of the program; `accl_var` lists are the caller's,
//! alive during the call and used by one thread at a time.

use super::routine::here;
use super::routine_openmp::LINKED;
use crate::call::CallContext;
use crate::config::notify;
use crate::data::{self, Counter};
use crate::device::{Kind, cuda};
use crate::error::{abort, codes, exit, fatal, fatal_plain, fatal_plain_coded, guard, guard_host};
use crate::location::SourceLocation;
use crate::present::Mapping;
use crate::profiling::{self, About, Event};
use crate::queues::ASYNC_SYNC;
use crate::state::{self, DeviceState};
use crate::target_info::{self, Step};
use crate::{launch, log, ompt, on_host, private, residency, update};
use accl_abi::{ABI_VERSION, LaunchInfo, Module, Site, Var, data_kind};
use std::ffi::{c_int, c_void};

/// A list of variables.
///
/// # Safety
/// `vars` points to `n` variables that nothing else uses for `'a`, or `n` is 0.
unsafe fn list<'a>(vars: *mut Var, n: u32) -> &'a mut [Var] {
    if vars.is_null() || n == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(vars, n as usize) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_register(module: *const Module) {
    guard_host(|| {
        std::hint::black_box(&LINKED.0);
        // SAFETY: a constant table of the program.
        let module = unsafe { &*module };
        if module.abi_version != ABI_VERSION {
            // SAFETY: as above.
            let file = unsafe { accl_abi::text(module.file) };
            fatal_plain(&format!(
                "{file} was compiled for version {} of the runtime's interface; this runtime has version {ABI_VERSION}\n  \
                 help: compile it again with this accl",
                module.abi_version
            ));
        }
        cuda::parts::register(module);
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_data_begin(site: *const Site, vars: *mut Var, n: u32, async_: i64) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, vars) = unsafe { (SourceLocation::new(site), list(vars, n)) };
        let call = CallContext::new(location, async_);
        region("enter", &call);
        profiling::begin_construct(&call);
        let _event = profiling::span(Event::EnterData, || About::of(&call));
        target_info::arguments(&call, vars, Step::Enter);
        private::begin(&call, vars);
        if !residency::enter(&call, vars) {
            data::enter(&call, vars, Counter::Structured);
        }
        ompt::mapped(&call, vars);
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_data_end(site: *const Site, vars: *mut Var, n: u32, async_: i64) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, vars) = unsafe { (SourceLocation::new(site), list(vars, n)) };
        let call = CallContext::new(location, async_);
        let event = profiling::span(Event::ExitData, || About::of(&call));
        target_info::arguments(&call, vars, Step::Exit);
        if !residency::exit(&call, vars) {
            data::exit(&call, vars, Counter::Structured);
        }
        private::end(&call, vars);
        target_info::table(&call);
        drop(event);
        profiling::end_construct(&call);
        region("leave", &call);
    });
}

fn region(action: &str, call: &CallContext) {
    if log::wants(notify::REGION) {
        log::region(action, call.state, call.location);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_host_begin(site: *const Site, vars: *const Var, n: u32, async_: i64) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, vars) = unsafe { (SourceLocation::new(site), accl_abi::slice(vars, n)) };
        // A queue that does not exist is an error as it is of a launch, though all queues are waited for.
        let call = CallContext::new(location, async_);
        on_host::begin(&CallContext::on(call.state, location), vars);
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_host_end(site: *const Site) {
    // SAFETY: the contract of accl_abi.h.
    guard(|| on_host::end(unsafe { SourceLocation::new(site) }));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_enter_data(site: *const Site, vars: *mut Var, n: u32, async_: i64) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, vars) = unsafe { (SourceLocation::new(site), list(vars, n)) };
        let call = CallContext::new(location, async_);
        let _event = profiling::span(Event::EnterData, || About::of(&call));
        target_info::arguments(&call, vars, Step::Enter);
        data::enter(&call, vars, Counter::Dynamic);
        ompt::mapped(&call, vars);
        target_info::table(&call);
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_exit_data(site: *const Site, vars: *mut Var, n: u32, async_: i64) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, vars) = unsafe { (SourceLocation::new(site), list(vars, n)) };
        let call = CallContext::new(location, async_);
        let _event = profiling::span(Event::ExitData, || About::of(&call));
        target_info::arguments(&call, vars, Step::Exit);
        ompt::mapped(&call, vars);
        data::exit(&call, vars, Counter::Dynamic);
        target_info::table(&call);
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_declare(site: *const Site, vars: *const Var, n: u32) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, vars) = unsafe { (SourceLocation::new(site), accl_abi::slice(vars, n)) };
        data::declare(location, vars);
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_update(site: *const Site, vars: *mut Var, n: u32, async_: i64) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, vars) = unsafe { (SourceLocation::new(site), list(vars, n)) };
        let call = CallContext::new(location, async_);
        let _event = profiling::span(Event::Update, || About::of(&call));
        target_info::arguments(&call, vars, Step::Update);
        let mut to_host = false;
        for var in vars.iter() {
            match var.kind {
                data_kind::ATTACH => data::attach(&call, var),
                data_kind::DETACH => data::detach(&call, var, false),
                _ => {
                    update::update(&call, var);
                    to_host |= var.kind == data_kind::UPDATE_SELF;
                }
            }
        }
        if to_host {
            call.finish_if_sync();
        }
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_use_device(site: *const Site, var: *const Var) -> *mut c_void {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, var) = unsafe { (SourceLocation::new(site), &*var) };
        data::use_device(&CallContext::new(location, ASYNC_SYNC), var)
    })
}

/// # Safety
/// The contract of accl_abi.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_translate_pointers(
    site: *const Site,
    copy: *mut c_void,
    offsets: *const usize,
    n: u32,
) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, offsets) = unsafe { (SourceLocation::new(site), accl_abi::slice(offsets, n)) };
        let call = CallContext::new(location, ASYNC_SYNC);
        for offset in offsets {
            // SAFETY: a pointer lies there, at any alignment.
            unsafe {
                let place = copy.cast::<u8>().add(*offset).cast::<usize>();
                place.write_unaligned(data::device_pointer(&call, place.read_unaligned()));
            }
        }
    });
}

/// # Safety
/// Both texts are constants of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_outside_window(
    location: *const std::ffi::c_char,
    array: *const std::ffi::c_char,
    index: i64,
    first: i64,
    last: i64,
) {
    // SAFETY: the caller's promise.
    let (location, array) = unsafe { (accl_abi::text(location), accl_abi::text(array)) };
    fatal_plain(&format!(
        "{location}: {array} is subscripted with {index}, outside its window, {first} to {last}\n  \
         help: give the fcw directive a larger window, or let the iteration stay within it"
    ))
}

/// # Safety
/// Strings of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_no_number(
    location: *const std::ffi::c_char,
    array: *const std::ffi::c_char,
    index: i64,
) {
    // SAFETY: the caller's promise.
    let (location, array) = unsafe { (accl_abi::text(location), accl_abi::text(array)) };
    fatal_plain_coded(
        codes::NO_NUMBER,
        &format!(
            "{location}: {array} is given no number (NaN) at [{index}], which compressed elements cannot be\n  \
             help: without --check it counts as 0; scheme(half) and scheme(bfloat) hold it"
        ),
    )
}

/// # Safety
/// A constant of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_stop(message: *const std::ffi::c_char) {
    // SAFETY: the caller's promise.
    abort(&unsafe { accl_abi::text(message) })
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_exit(status: c_int) {
    exit(status)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_launch(info: *const LaunchInfo) -> c_int {
    // SAFETY: the contract of accl_abi.h.
    guard(|| unsafe { launch::launch(&*info) }).into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_wait(site: *const Site, queues: *const i64, n: u32, async_: i64) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, values) = unsafe { (SourceLocation::new(site), accl_abi::slice(queues, n)) };
        let state = state::current(location);
        if async_ == ASYNC_SYNC {
            wait_on_host(state, location, values);
        } else {
            wait_on_queue(state, location, values, async_);
        }
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_wait_device(site: *const Site, device_num: c_int, queues: *const i64, n: u32) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let (location, values) = unsafe { (SourceLocation::new(site), accl_abi::slice(queues, n)) };
        wait_on_host(state::numbered(location, device_num), location, values);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_by_device(cuda: i64, opencl: i64, cpu: i64) -> i64 {
    guard(|| match state::current_kind() {
        Kind::Cuda => cuda,
        Kind::OpenCl => opencl,
        Kind::Cpu => cpu,
    })
}

/// The larger of two lengths.
#[unsafe(no_mangle)]
pub extern "C" fn accl_larger(a: i64, b: i64) -> i64 {
    a.max(b)
}

/// The element that `present(base[index])` means, of `size` bytes. By the standard it is the one with that number (OpenACC 3.3
/// §2.7.1), but programs write the array's length there: what is present, and begins at or before `base`, then ends where the
/// element would begin, and the last one before it is meant.
#[unsafe(no_mangle)]
pub extern "C" fn accl_present_element(base: *const c_void, size: usize, index: i64) -> i64 {
    guard(|| {
        let call = CallContext::new(here!(c"present"), ASYNC_SYNC);
        let base = base as usize;
        let end = base.wrapping_add_signed((index as isize).wrapping_mul(size.cast_signed()));
        let is_behind = call.state.table().ending_at(end).is_some_and(|before| before.host <= base);
        if index > 0 && is_behind { index - 1 } else { index }
    })
}

/// The host waits for the queues of these async values, or for all.
pub fn wait_on_host(state: &'static DeviceState, location: SourceLocation, values: &[i64]) {
    if values.is_empty() {
        return state.finish_all(location);
    }
    for value in values {
        if let Some(queue) = state.queues.existing(state::resolve_async(location, *value)) {
            log::wait(state, location, queue);
            let _event = profiling::span(Event::Wait, || About::new(state, location, queue.value));
            state.finish(location, queue);
        }
    }
}

/// A queue waits for the queues of these async values, or for all.
pub fn wait_on_queue(state: &'static DeviceState, location: SourceLocation, values: &[i64], async_: i64) {
    let later = state.queue(location, async_);
    let earlier = if values.is_empty() {
        state.queues.all()
    } else {
        values
            .iter()
            .filter_map(|value| state.queues.existing(state::resolve_async(location, *value)))
            .collect()
    };
    for queue in earlier.iter().filter(|queue| queue.id != later.id) {
        log::wait(state, location, queue);
        if let Err(error) = state.device.order_after(later.id, queue.id) {
            state.fail(location, Some(queue), "ordering queues", &error);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_offload(site: *const Site, if_clause: c_int) -> c_int {
    guard(|| {
        if if_clause != 0 {
            // SAFETY: the contract of accl_abi.h.
            state::current(unsafe { SourceLocation::new(site) });
        }
        c_int::from(if_clause != 0)
    })
}

/// The kind and number that codes of openacc.h stand for; negative numbers are "not given".
pub fn choice(location: SourceLocation, device_type: c_int, device_num: c_int) -> (Kind, usize) {
    let number = usize::try_from(device_num).ok();
    let (current, current_number) = match state::current_if_any() {
        Some(state) => (state.device.info().kind, state.device.info().number),
        None => state::initial(),
    };
    let kind = match device_type {
        -1 | 0 => return (current, number.unwrap_or(current_number)),
        1 => {
            let (kind, best) = state::initial();
            return (kind, number.unwrap_or(best));
        }
        2 | 8 => Kind::Cpu,
        3 => {
            let (kind, best) = state::best();
            return (kind, number.unwrap_or(best));
        }
        4 => Kind::Cuda,
        5 | 7 => Kind::OpenCl,
        code => fatal(location, 0, &format!("{code} is no device type that accl knows"), &[]),
    };
    (kind, number.unwrap_or(if kind == current { current_number } else { 0 }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_init(site: *const Site, device_type: c_int, device_num: c_int) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let location = unsafe { SourceLocation::new(site) };
        let (kind, number) = choice(location, device_type, device_num);
        state::start(location, kind, number);
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_shutdown(site: *const Site, device_type: c_int, device_num: c_int) {
    // SAFETY: the contract of accl_abi.h.
    guard(|| shutdown(unsafe { SourceLocation::new(site) }, device_type, device_num));
}

/// Section 2.14.2: finishes all work and forgets all data of the devices concerned. The devices
/// stay open, since other threads may hold on to them; a later use finds an empty table.
pub fn shutdown(location: SourceLocation, device_type: c_int, device_num: c_int) {
    let all = device_type <= 0;
    let (kind, number) = if all { (Kind::Cpu, 0) } else { choice(location, device_type, device_num) };
    for state in state::started() {
        let info = state.device.info();
        if !all && (info.kind != kind || (device_num >= 0 && info.number != number)) {
            continue;
        }
        let about = || About::new(state, location, ASYNC_SYNC);
        let _event = profiling::span(Event::DeviceShutdown, about);
        state.finish_all(location);
        residency::leave(state);
        let mut mappings = state.table().drain();
        let extra: Vec<_> = mappings.iter().filter_map(|mapping| mapping.storage.extra_block()).collect();
        for block in mappings.iter_mut().filter_map(Mapping::take_block).chain(extra) {
            state.pool.give(block, crate::device::SYNC_QUEUE);
        }
        if let Err(error) = state.pool.trim(&*state.device) {
            state.fail(location, None, "freeing device memory", &error);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_set(
    site: *const Site,
    device_type: c_int,
    device_num: c_int,
    default_async: i64,
) {
    guard(|| {
        // SAFETY: the contract of accl_abi.h.
        let location = unsafe { SourceLocation::new(site) };
        if device_type > 0 || device_num >= 0 {
            let (kind, number) = choice(location, device_type, device_num);
            state::set_current(location, kind, number);
        }
        // Not given; negative numbers are acc_async_sync and its like.
        if default_async != i64::MIN {
            state::set_default_async(default_async);
        }
    });
}
