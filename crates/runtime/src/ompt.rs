//! The tools interface of OpenMP, as far as devices are concerned (OpenMP 5.2 chapter 19): a tool is asked for with
//! `ompt_start_tool`, which the program has, or a library of `OMP_TOOL_LIBRARIES`, and gets the callbacks of §19.5.2 that tell of
//! devices, of constructs for them, of memory and copies, and of launches.
//!
//! It hears of what the profiling interface tells (`profiling::tell`), so both see the same events. Threads, tasks and parallel
//! regions are the host compiler's library's, which tells of none.

use crate::call::CallContext;
use crate::config::config;
use crate::log;
use crate::present::Presence;
use crate::profiling::{About, Event, Moment, Told};
use crate::variable::first;
use accl_abi::{Var, data_flags, data_kind};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// `ompt_data_t`
#[repr(C)]
union ToolData {
    value: u64,
    pointer: *mut c_void,
}

type Function = unsafe extern "C" fn();
type Lookup = unsafe extern "C" fn(*const c_char) -> Option<Function>;
type Initialize = unsafe extern "C" fn(Lookup, c_int, *mut ToolData) -> c_int;
type Finalize = unsafe extern "C" fn(*mut ToolData);

/// `ompt_start_tool_result_t`
#[repr(C)]
struct StartResult {
    initialize: Option<Initialize>,
    finalize: Option<Finalize>,
    data: ToolData,
}

type StartTool = unsafe extern "C" fn(c_uint, *const c_char) -> *mut StartResult;

/// `ompt_callbacks_t`: the callbacks that are called, and their numbers (§19.4.2).
mod callback {
    pub const TARGET: usize = 8;
    pub const TARGET_DATA_OP: usize = 9;
    pub const TARGET_SUBMIT: usize = 10;
    pub const DEVICE_INITIALIZE: usize = 12;
    pub const DEVICE_FINALIZE: usize = 13;
    pub const DEVICE_LOAD: usize = 14;
    pub const TARGET_MAP: usize = 22;
    pub const TARGET_EMI: usize = 33;
    pub const TARGET_DATA_OP_EMI: usize = 34;
    pub const TARGET_SUBMIT_EMI: usize = 35;
    pub const TARGET_MAP_EMI: usize = 36;
    pub const ALL: [usize; 11] = [
        TARGET,
        TARGET_DATA_OP,
        TARGET_SUBMIT,
        DEVICE_INITIALIZE,
        DEVICE_FINALIZE,
        DEVICE_LOAD,
        TARGET_MAP,
        TARGET_MAP_EMI,
        TARGET_EMI,
        TARGET_DATA_OP_EMI,
        TARGET_SUBMIT_EMI,
    ];
}

/// One more than the last callback's number.
const LAST: usize = 38;

/// The functions that the tool has set; 0 is none.
static CALLBACKS: [AtomicUsize; LAST] = [const { AtomicUsize::new(0) }; LAST];

/// Constructs, and operations within them, are numbered from 1.
static TARGETS: AtomicU64 = AtomicU64::new(1);
static OPERATIONS: AtomicU64 = AtomicU64::new(1);
/// A bit for each device that the tool knows.
static DEVICES: AtomicU32 = AtomicU32::new(0);

/// The construct that a thread is in.
struct Target {
    id: u64,
    kind: c_int,
    data: ToolData,
    task: ToolData,
}

/// What a thread has begun and not ended.
#[derive(Default)]
struct Open {
    #[allow(clippy::vec_box, reason = "tools keep the addresses of what is theirs in a construct")]
    targets: Vec<Box<Target>>,
    operation: u64,
}

thread_local! {
    static OPEN: RefCell<Open> = RefCell::default();
}

const BEGIN: c_int = 1;
const END: c_int = 2;

fn set(number: usize) -> Option<usize> {
    Some(CALLBACKS[number].load(Ordering::Acquire)).filter(|address| *address != 0)
}

/// Calls what the tool has set for a number, if anything.
macro_rules! call {
    ($number:expr, fn($($ty:ty),* $(,)?), $($argument:expr),* $(,)?) => {
        if let Some(address) = set($number) {
            // SAFETY: the tool has set a function of the callback's type; what is handed over lives during the call.
            unsafe {
                let function = std::mem::transmute::<usize, unsafe extern "C" fn($($ty),*)>(address);
                function($($argument),*);
            }
        }
    };
}

/// `ompt_set_callback`: 5 is always, 1 never, 0 an error.
unsafe extern "C" fn set_callback(which: c_int, function: Option<Function>) -> c_int {
    match usize::try_from(which) {
        Ok(number) if callback::ALL.contains(&number) => {
            CALLBACKS[number].store(function.map_or(0, |f| f as usize), Ordering::Release);
            5
        }
        Ok(1..LAST) => 1,
        _ => 0,
    }
}

unsafe extern "C" fn get_callback(which: c_int, function: *mut Option<Function>) -> c_int {
    let address = usize::try_from(which).ok().filter(|number| *number < LAST).and_then(set);
    if let Some(address) = address {
        // SAFETY: the tool's variable, and the function that it has set.
        unsafe { *function = Some(std::mem::transmute::<usize, Function>(address)) };
    }
    c_int::from(address.is_some())
}

unsafe extern "C" fn get_unique_id() -> u64 {
    OPERATIONS.fetch_add(1, Ordering::Relaxed)
}

unsafe extern "C" fn get_num_devices() -> c_int {
    crate::entry::openmp_devices()
}

/// What a tool can ask for. Devices have no records of their own.
unsafe extern "C" fn lookup(name: *const c_char) -> Option<Function> {
    // SAFETY: a string of the tool's.
    let name = unsafe { CStr::from_ptr(name) };
    let address = match name.to_bytes() {
        b"ompt_set_callback" => set_callback as *const c_void,
        b"ompt_get_callback" => get_callback as *const c_void,
        b"ompt_get_unique_id" => get_unique_id as *const c_void,
        b"ompt_get_num_devices" => get_num_devices as *const c_void,
        _ => return None,
    };
    // SAFETY: the tool calls it as what its name says.
    Some(unsafe { std::mem::transmute::<*const c_void, Function>(address) })
}

unsafe extern "C" fn lookup_of_device(_name: *const c_char) -> Option<Function> {
    None
}

// The program may have a function of this name; null, if it has none.
std::arch::global_asm!(
    ".pushsection .data.rel.accl_start_tool,\"aw\"",
    ".balign 8",
    ".weak ompt_start_tool",
    ".globl accl_start_tool_of_program",
    ".hidden accl_start_tool_of_program",
    "accl_start_tool_of_program: .quad ompt_start_tool",
    ".popsection",
);

unsafe extern "C" {
    static accl_start_tool_of_program: Option<StartTool>;
}

/// Starts the first tool that wants to be. Gives whether there is one.
pub fn start() -> bool {
    if !config().tools {
        return false;
    }
    // SAFETY: written by the linker alone.
    if unsafe { accl_start_tool_of_program }.is_some_and(begin) {
        return true;
    }
    config().tool_libraries.iter().any(|name| {
        // SAFETY: the user wants the library to be loaded.
        let start = unsafe { libloading::Library::new(name) }.and_then(|library| {
            let library = Box::leak(Box::new(library));
            // SAFETY: as above.
            unsafe { library.get::<StartTool>(b"ompt_start_tool") }.map(|symbol| *symbol)
        });
        match start {
            Ok(start) => begin(start),
            Err(error) => {
                log::warning(&format!("the library {name} of OMP_TOOL_LIBRARIES cannot be used: {error}"));
                false
            }
        }
    })
}

fn begin(start: StartTool) -> bool {
    const VERSION: c_uint = 202_111;
    // SAFETY: a function of this name has this type, and what it gives lives as long as the program.
    let Some(result) = (unsafe { start(VERSION, c"Acclimate".as_ptr()).as_mut() }) else { return false };
    let Some(initialize) = result.initialize else { return false };
    // SAFETY: as above.
    let active = unsafe { initialize(lookup, crate::entry::openmp_devices(), &raw mut result.data) } != 0;
    if active {
        RESULT.store(std::ptr::from_mut(result) as usize, Ordering::Release);
    }
    active
}

/// What `ompt_start_tool` gave; 0 is nothing.
static RESULT: AtomicUsize = AtomicUsize::new(0);

/// The program ends.
pub fn finish() {
    let result = RESULT.swap(0, Ordering::AcqRel) as *mut StartResult;
    // SAFETY: the tool's structure, which lives as long as the program.
    if let Some(result) = unsafe { result.as_mut() }
        && let Some(finalize) = result.finalize
    {
        // SAFETY: the tool's function.
        unsafe { finalize(&raw mut result.data) };
    }
}

/// An event of the profiling interface.
pub fn tell(event: c_int, about: &About<'_>, told: Told) {
    let ends = |start: Event| event == start as c_int + 1;
    let begins = |start: Event| event == start as c_int;
    if ends(Event::DeviceInit) {
        device_begins(about);
    } else if ends(Event::DeviceShutdown) {
        call!(callback::DEVICE_FINALIZE, fn(c_int), about.number as c_int);
    } else if event == Moment::RuntimeShutdown as c_int {
        finish();
    } else if let Some(kind) = target_kind(event, about) {
        match event % 2 {
            0 => target_begins(about, kind),
            _ => target_ends(about, kind),
        }
    } else if begins(Event::Launch) || ends(Event::Launch) {
        let Told::Launch { gangs } = told else { return };
        submit(if begins(Event::Launch) { BEGIN } else { END }, gangs as c_uint);
    } else if let Told::Data { host, device, bytes } = told {
        data_operation(event, about, [host, device], bytes);
    }
}

/// `ompt_target_t` of the construct that an event begins or ends: an even number begins it, the next one ends it.
fn target_kind(event: c_int, about: &About<'_>) -> Option<c_int> {
    let of = |start: Event| (start as c_int..=start as c_int + 1).contains(&event);
    let compute = crate::profiling::is_compute(about.location);
    let data = !compute && !about.location.0.file.is_null();
    match () {
        () if of(Event::ComputeConstruct) => Some(1),
        () if of(Event::EnterData) && data => Some(2),
        () if of(Event::ExitData) && data => Some(3),
        () if of(Event::Update) && data => Some(4),
        () => None,
    }
}

fn device_begins(about: &About<'_>) {
    let bit = 1u32.checked_shl(about.number as u32).unwrap_or(0);
    if DEVICES.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
        return;
    }
    let number = about.number as c_int;
    let kind = CString::new(about.kind.name()).unwrap_or_default();
    call!(
        callback::DEVICE_INITIALIZE,
        fn(c_int, *const c_char, *mut c_void, Lookup, *const c_char),
        number,
        kind.as_ptr(),
        null_mut(),
        lookup_of_device,
        null()
    );
    // The program's kernels, which lie in it as source.
    call!(
        callback::DEVICE_LOAD,
        fn(c_int, *const c_char, i64, *mut c_void, usize, *mut c_void, *mut c_void, u64),
        number,
        c"".as_ptr(),
        0,
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0
    );
}

fn target_begins(about: &About<'_>, kind: c_int) {
    let id = TARGETS.fetch_add(1, Ordering::Relaxed);
    let mut target = Box::new(Target { id, kind, data: ToolData { value: 0 }, task: ToolData { value: 0 } });
    tell_of_target(about, BEGIN, &mut target);
    OPEN.with_borrow_mut(|open| open.targets.push(target));
}

fn target_ends(about: &About<'_>, kind: c_int) {
    let last = OPEN.with_borrow_mut(|open| open.targets.pop_if(|target| target.kind == kind));
    if let Some(mut target) = last {
        tell_of_target(about, END, &mut target);
    }
}

fn tell_of_target(about: &About<'_>, endpoint: c_int, target: &mut Target) {
    let (device, code) = (about.number as c_int, std::ptr::from_ref(about.location.0).cast::<c_void>());
    let (task, data) = (&raw mut target.task, &raw mut target.data);
    call!(
        callback::TARGET_EMI,
        fn(c_int, c_int, c_int, *mut ToolData, *mut ToolData, *mut ToolData, *const c_void),
        target.kind,
        endpoint,
        device,
        task,
        null_mut(),
        data,
        code
    );
    call!(
        callback::TARGET,
        fn(c_int, c_int, c_int, *mut ToolData, u64, *const c_void),
        target.kind,
        endpoint,
        device,
        task,
        target.id,
        code
    );
}

/// The construct that the thread is in: its number, and the tool's data; and the number of the operation that begins or ends.
fn operation(endpoint: c_int) -> (u64, *mut ToolData, u64) {
    OPEN.with_borrow_mut(|open| {
        if endpoint == BEGIN {
            open.operation = OPERATIONS.fetch_add(1, Ordering::Relaxed);
        }
        let number = open.operation;
        match open.targets.last_mut() {
            Some(target) => (target.id, &raw mut target.data, number),
            None => (0, null_mut(), number),
        }
    })
}

/// What a construct has mapped (§19.5.2.27), when it is there.
#[inline]
pub fn mapped(call: &CallContext, vars: &[Var]) {
    if set(callback::TARGET_MAP).is_some() || set(callback::TARGET_MAP_EMI).is_some() {
        tell_of_maps(call, vars);
    }
}

#[cold]
fn tell_of_maps(call: &CallContext, vars: &[Var]) {
    let (mut host, mut device, mut bytes, mut flags) = (vec![], vec![], vec![], vec![]);
    for (var, flag) in vars.iter().filter_map(|var| Some((var, mapping_flags(var)?))) {
        let (table, found) = call.find(first(var), var.bytes);
        let address = match found {
            Presence::Inside(start) => table.get(start).map_or(0, |mapping| mapping.translate(first(var))),
            Presence::Partial(_) | Presence::Absent => 0,
        };
        host.push(first(var) as *mut c_void);
        device.push(address as *mut c_void);
        bytes.push(var.bytes);
        flags.push(flag);
    }
    let (id, data) = OPEN.with_borrow_mut(|open| match open.targets.last_mut() {
        Some(target) => (target.id, &raw mut target.data),
        None => (0, null_mut()),
    });
    let code = std::ptr::from_ref(call.location.0).cast::<c_void>();
    call!(
        callback::TARGET_MAP_EMI,
        fn(*mut ToolData, c_uint, *mut *mut c_void, *mut *mut c_void, *mut usize, *mut c_uint, *const c_void),
        data,
        host.len() as c_uint,
        host.as_mut_ptr(),
        device.as_mut_ptr(),
        bytes.as_mut_ptr(),
        flags.as_mut_ptr(),
        code
    );
    call!(
        callback::TARGET_MAP,
        fn(u64, c_uint, *mut *mut c_void, *mut *mut c_void, *mut usize, *mut c_uint, *const c_void),
        id,
        host.len() as c_uint,
        host.as_mut_ptr(),
        device.as_mut_ptr(),
        bytes.as_mut_ptr(),
        flags.as_mut_ptr(),
        code
    );
}

/// `ompt_target_map_flag_t`; `None` for what maps nothing.
fn mapping_flags(var: &Var) -> Option<c_uint> {
    let implicit = if var.flags & data_flags::IMPLICIT != 0 { 0x20 } else { 0 };
    let way = match var.kind {
        data_kind::COPY => 1 | 2,
        data_kind::COPYIN => 1,
        data_kind::COPYOUT => 2,
        data_kind::CREATE | data_kind::PRESENT | data_kind::NO_CREATE => 4,
        data_kind::DELETE if var.flags & data_flags::FINALIZE != 0 => 0x10,
        data_kind::DELETE => 8,
        _ => return None,
    };
    Some(way | implicit)
}

fn submit(endpoint: c_int, teams: c_uint) {
    let (id, data, mut number) = operation(endpoint);
    call!(
        callback::TARGET_SUBMIT_EMI,
        fn(c_int, *mut ToolData, *mut u64, c_uint),
        endpoint,
        data,
        &raw mut number,
        teams
    );
    if endpoint == BEGIN {
        call!(callback::TARGET_SUBMIT, fn(u64, u64, c_uint), id, number, teams);
    }
}

/// `ompt_target_data_op_t`: 1 allocation, 2 to the device, 3 from it, 4 deletion.
fn data_operation(event: c_int, about: &About<'_>, [host, device]: [usize; 2], bytes: usize) {
    let of = |start: Event| (start as c_int..=start as c_int + 1).contains(&event);
    let kind = match () {
        () if event == Moment::Alloc as c_int => 1,
        () if event == Moment::Free as c_int => 4,
        () if of(Event::Upload) => 2,
        () if of(Event::Download) => 3,
        () => return,
    };
    let moment = matches!(kind, 1 | 4);
    let endpoints: &[c_int] = match moment {
        true => &[BEGIN, END],
        false if event % 2 == 0 => &[BEGIN],
        false => &[END],
    };
    let on_device = (device as *mut c_void, about.number as c_int);
    let on_host = (host as *mut c_void, crate::entry::openmp_devices());
    let (from, to) = match kind {
        3 => (on_device, on_host),
        4 => (on_device, (null_mut(), on_device.1)),
        _ => (on_host, on_device),
    };
    for endpoint in endpoints {
        let (id, data, mut number) = operation(*endpoint);
        call!(
            callback::TARGET_DATA_OP_EMI,
            fn(
                c_int,
                *mut ToolData,
                *mut ToolData,
                *mut u64,
                c_int,
                *mut c_void,
                c_int,
                *mut c_void,
                c_int,
                usize,
                *const c_void,
            ),
            *endpoint,
            null_mut(),
            data,
            &raw mut number,
            kind,
            from.0,
            from.1,
            to.0,
            to.1,
            bytes,
            std::ptr::from_ref(about.location.0).cast::<c_void>()
        );
        if *endpoint == BEGIN {
            call!(
                callback::TARGET_DATA_OP,
                fn(u64, u64, c_int, *mut c_void, c_int, *mut c_void, c_int, usize, *const c_void),
                id,
                number,
                kind,
                from.0,
                from.1,
                to.0,
                to.1,
                bytes,
                std::ptr::from_ref(about.location.0).cast::<c_void>()
            );
        }
    }
}
