//! The profiling interface (OpenACC 3.3 chapter 5): which callbacks are registered for which events, and calling them.
//!
//! A place where something happens makes a [`Span`], whose end is the end event. While nobody has registered for either event
//! that costs one relaxed load.

use crate::call::CallContext;
use crate::device::Kind;
use crate::location::{Name, SourceLocation};
use crate::ompt;
use crate::state::{DeviceState, thread_number};
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Events that have a start; the number of the end is one more (section 5.1).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    DeviceInit = 1,
    DeviceShutdown = 3,
    EnterData = 10,
    ExitData = 12,
    Update = 14,
    ComputeConstruct = 16,
    Launch = 18,
    Upload = 20,
    Download = 22,
    Wait = 24,
}

/// Events without an end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    RuntimeShutdown = 5,
    Create = 6,
    Delete = 7,
    Alloc = 8,
    Free = 9,
}

/// Of OpenACC, whose interface this is.
const VERSION: c_int = 202211;

/// One more than the last event's number.
const LAST: c_int = 26;

/// `acc_prof_info` (section 5.2.1).
#[repr(C)]
pub struct ProfInfo {
    event_type: c_int,
    valid_bytes: c_int,
    version: c_int,
    device_type: c_int,
    device_number: c_int,
    thread_id: c_int,
    async_: isize,
    async_queue: isize,
    src_file: *const c_char,
    func_name: *const c_char,
    line_no: c_int,
    end_line_no: c_int,
    func_line_no: c_int,
    func_end_line_no: c_int,
}

/// `acc_event_info` (section 5.2.2). All of its forms begin with the same members.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EventInfo {
    event_type: c_int,
    valid_bytes: c_int,
    parent_construct: c_int,
    implicit: c_int,
    tool_info: *mut c_void,
    detail: Detail,
}

#[repr(C)]
#[derive(Clone, Copy)]
union Detail {
    data: DataDetail,
    launch: LaunchDetail,
    none: (),
}

#[repr(C)]
#[derive(Clone, Copy)]
struct DataDetail {
    var_name: *const c_char,
    bytes: usize,
    host: *const c_void,
    device: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct LaunchDetail {
    kernel_name: *const c_char,
    num_gangs: usize,
    num_workers: usize,
    vector_length: usize,
}

/// `acc_api_info` (section 5.2.3).
#[repr(C)]
pub struct ApiInfo {
    device_api: c_int,
    valid_bytes: c_int,
    device_type: c_int,
    vendor: c_int,
    device_handle: *const c_void,
    context_handle: *const c_void,
    async_handle: *const c_void,
}

pub type Callback = unsafe extern "C" fn(*mut ProfInfo, *mut EventInfo, *mut ApiInfo);

struct Registered {
    event: c_int,
    callback: Callback,
    /// How often it was registered.
    count: u32,
    enabled: bool,
}

#[derive(Default)]
struct Registry {
    callbacks: Vec<Registered>,
    /// A bit for each event that is switched off for all callbacks.
    events_off: u32,
    all_off: bool,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { callbacks: vec![], events_off: 0, all_off: false });

/// A tool of OpenMP's interface is told of all events (`ompt`).
static TOOL: AtomicBool = AtomicBool::new(false);

/// What an event is about, for `ompt`.
pub enum Told {
    Data { host: usize, device: usize, bytes: usize },
    Launch { gangs: usize },
    Nothing,
}

/// A bit for each event that some callback is to be told of.
static WANTED: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static OFF_HERE: Cell<bool> = const { Cell::new(false) };
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Registry {
    fn publish(&self) {
        let on = |r: &&Registered| r.enabled && self.events_off >> r.event & 1 == 0 && !self.all_off;
        let wanted = self.callbacks.iter().filter(on).fold(0, |bits, r| bits | 1 << r.event);
        let all = if TOOL.load(Ordering::Relaxed) { u32::MAX } else { 0 };
        WANTED.store(wanted | all, Ordering::Relaxed);
    }

    fn find(&mut self, event: c_int, callback: Callback) -> Option<usize> {
        self.callbacks.iter().position(|r| r.event == event && std::ptr::fn_addr_eq(r.callback, callback))
    }
}

/// `acc_prof_register` and `acc_prof_unregister` (section 5.3.1). `how`: 0 to register, 1 to toggle, 2 to toggle for the thread.
pub fn change(event: c_int, callback: Option<Callback>, how: c_int, on: bool) {
    if !(0..LAST).contains(&event) {
        return;
    }
    let mut registry = registry();
    match (how, callback) {
        (0, Some(callback)) if event > 0 => match (registry.find(event, callback), on) {
            (Some(at), true) => registry.callbacks[at].count += 1,
            (None, true) => registry.callbacks.push(Registered { event, callback, count: 1, enabled: true }),
            (Some(at), false) => {
                registry.callbacks[at].count -= 1;
                if registry.callbacks[at].count == 0 {
                    registry.callbacks.remove(at);
                }
            }
            (None, false) => {}
        },
        (1, Some(callback)) => {
            if let Some(at) = registry.find(event, callback) {
                registry.callbacks[at].enabled = on;
            }
        }
        (1, None) if event == 0 => registry.all_off = !on,
        (1, None) if on => registry.events_off &= !(1 << event),
        (1, None) => registry.events_off |= 1 << event,
        (2, _) => OFF_HERE.set(!on),
        _ => {}
    }
    registry.publish();
}

/// Starts a tool of OpenMP's, if there is one.
pub fn start_tool() {
    if ompt::start() {
        TOOL.store(true, Ordering::Relaxed);
        registry().publish();
    }
}

/// What an event is about.
pub struct About<'a> {
    pub location: SourceLocation,
    pub kind: Kind,
    pub number: usize,
    /// `None`: the device is not in use yet.
    pub state: Option<&'a DeviceState>,
    pub async_: i64,
    pub implicit: bool,
}

impl<'a> About<'a> {
    pub fn new(state: &'a DeviceState, location: SourceLocation, async_: i64) -> About<'a> {
        let info = state.device.info();
        About { location, kind: info.kind, number: info.number, state: Some(state), async_, implicit: false }
    }

    /// What stands in a compute construct without being asked for is implicit.
    pub fn of(call: &'a CallContext) -> About<'a> {
        let implicit = is_compute(call.location);
        About { implicit, ..About::new(call.state, call.location, call.queue.value) }
    }
}

thread_local! {
    /// The compute construct whose start was told, and whose end is still to be.
    static OPEN: RefCell<Option<Span<'static>>> = const { RefCell::new(None) };
}

fn construct(call: &CallContext) -> Span<'static> {
    let about = About::new(call.state, call.location, call.queue.value);
    begin(Event::ComputeConstruct, about, Detail { none: () })
}

/// The data of a compute construct are about to be entered.
#[inline]
pub fn begin_construct(call: &CallContext) {
    if wanted(3 << Event::ComputeConstruct as u32) && is_compute(call.location) {
        let begun = construct(call);
        OPEN.with(|open| open.replace(Some(begun)));
    }
}

#[inline]
pub fn end_construct(call: &CallContext) {
    if wanted(3 << Event::ComputeConstruct as u32) && is_compute(call.location) {
        drop(OPEN.take());
    }
}

/// A launch outside of any construct whose start was told.
#[inline]
pub fn construct_of_launch(call: &CallContext) -> Span<'static> {
    let alone = wanted(3 << Event::ComputeConstruct as u32) && OPEN.with(|open| open.borrow().is_none());
    if alone { construct(call) } else { Span(None) }
}

/// Data that an event is about.
#[derive(Clone, Copy)]
pub struct Data {
    pub name: Name,
    pub bytes: usize,
    pub host: usize,
    pub device: u64,
}

/// From a start event to its end.
#[must_use]
pub struct Span<'a>(Option<Box<(Event, About<'a>, EventInfo)>>);

impl Drop for Span<'_> {
    fn drop(&mut self) {
        if let Some(open) = self.0.take() {
            let (event, about, mut info) = *open;
            tell(event as c_int + 1, &about, &mut info);
        }
    }
}

fn wanted(events: u32) -> bool {
    WANTED.load(Ordering::Relaxed) & events != 0
}

#[inline]
pub fn span<'a>(event: Event, about: impl FnOnce() -> About<'a>) -> Span<'a> {
    match wanted(3 << event as u32) {
        true => begin(event, about(), Detail { none: () }),
        false => Span(None),
    }
}

#[inline]
pub fn transfer<'a>(
    event: Event,
    about: impl FnOnce() -> About<'a>,
    data: impl FnOnce() -> Data,
) -> Span<'a> {
    match wanted(3 << event as u32) {
        true => begin(event, about(), of_data(data())),
        false => Span(None),
    }
}

/// `sizes`: gangs, workers and lanes.
#[inline]
pub fn launch<'a>(about: impl FnOnce() -> About<'a>, kernel: *const c_char, sizes: [usize; 3]) -> Span<'a> {
    match wanted(3 << Event::Launch as u32) {
        true => {
            let [num_gangs, num_workers, vector_length] = sizes;
            let launch = LaunchDetail { kernel_name: kernel, num_gangs, num_workers, vector_length };
            begin(Event::Launch, about(), Detail { launch })
        }
        false => Span(None),
    }
}

#[inline]
pub fn moment<'a>(event: Moment, about: impl FnOnce() -> About<'a>, data: impl FnOnce() -> Data) {
    if wanted(1 << event as u32) {
        let about = about();
        tell(event as c_int, &about, &mut info_of(event as c_int, &about, of_data(data())));
    }
}

fn of_data(Data { name, bytes, host, device }: Data) -> Detail {
    let data =
        DataDetail { var_name: name.0, bytes, host: host as *const c_void, device: device as *const c_void };
    Detail { data }
}

#[cold]
fn begin(event: Event, about: About<'_>, detail: Detail) -> Span<'_> {
    let mut info = info_of(event as c_int, &about, detail);
    tell(event as c_int, &about, &mut info);
    Span(Some(Box::new((event, about, info))))
}

fn info_of(event: c_int, about: &About<'_>, detail: Detail) -> EventInfo {
    let construct = construct_of(about.location);
    EventInfo {
        event_type: event,
        valid_bytes: size_of::<EventInfo>() as c_int,
        parent_construct: construct,
        implicit: about.implicit.into(),
        tool_info: std::ptr::null_mut(),
        detail,
    }
}

fn is_end(event: c_int) -> bool {
    matches!(event, 2 | 4) || event > 10 && event % 2 == 1
}

/// `acc_construct_t`
fn construct_of(location: SourceLocation) -> c_int {
    if location.0.file.is_null() {
        return 15;
    }
    let directive = location.directive();
    let known = [
        ("parallel", 0),
        ("kernels", 1),
        ("serial", 16),
        ("data", 3),
        ("enter", 4),
        ("exit", 5),
        ("host_data", 6),
        ("declare", 8),
        ("init", 9),
        ("shutdown", 10),
        ("set", 11),
        ("update", 12),
        ("wait", 14),
    ];
    let first =
        directive.split_whitespace().find(|word| !matches!(*word, "acc" | "omp" | "target" | "#pragma"));
    let first = first.unwrap_or_default();
    known.iter().find(|(word, _)| *word == first).map_or(0, |(_, code)| *code)
}

/// Whether the directive is a compute construct.
pub fn is_compute(location: SourceLocation) -> bool {
    !location.0.file.is_null() && matches!(construct_of(location), 0 | 1 | 16)
}

fn told(event: c_int, info: &EventInfo) -> Told {
    match event {
        6..=9 | 20..=23 => {
            // SAFETY: these events are made with data.
            let data = unsafe { info.detail.data };
            Told::Data { host: data.host as usize, device: data.device as usize, bytes: data.bytes }
        }
        // SAFETY: these events are made with a launch.
        18 | 19 => Told::Launch { gangs: unsafe { info.detail.launch }.num_gangs },
        _ => Told::Nothing,
    }
}

fn tell(event: c_int, about: &About<'_>, info: &mut EventInfo) {
    if TOOL.load(Ordering::Relaxed) {
        ompt::tell(event, about, told(event, info));
    }
    if OFF_HERE.get() {
        return;
    }
    let mut callbacks: Vec<Callback> = {
        let registry = registry();
        let on = |r: &&Registered| {
            r.event == event && r.enabled && !registry.all_off && registry.events_off >> event & 1 == 0
        };
        registry.callbacks.iter().filter(on).map(|r| r.callback).collect()
    };
    // Those of an end are called in the opposite order of those of the start (section 5.4.1).
    if is_end(event) {
        callbacks.reverse();
    }
    let device_type = about.kind.openacc_code();
    // `acc_device_api`
    let device_api = match about.kind {
        Kind::Cpu => 0,
        Kind::Cuda => 1,
        Kind::OpenCl => 2,
    };
    let (device, context) = about.state.map_or_else(Default::default, |s| {
        let (device, context) = s.device.native_handles();
        (device as usize, context as usize)
    });
    info.event_type = event;
    for callback in callbacks {
        let site = about.location.0;
        let mut general = ProfInfo {
            event_type: event,
            valid_bytes: size_of::<ProfInfo>() as c_int,
            version: VERSION,
            device_type,
            device_number: about.number as c_int,
            thread_id: thread_number() as c_int,
            async_: about.async_ as isize,
            async_queue: about.async_ as isize,
            src_file: site.file,
            func_name: site.function,
            line_no: site.line,
            end_line_no: site.end_line,
            func_line_no: 0,
            func_end_line_no: 0,
        };
        let mut api = ApiInfo {
            device_api,
            valid_bytes: size_of::<ApiInfo>() as c_int,
            device_type,
            vendor: 0,
            device_handle: device as *const c_void,
            context_handle: context as *const c_void,
            async_handle: null(),
        };
        // SAFETY: the tool's function, with structures that live during the call.
        unsafe { callback(&raw mut general, &raw mut *info, &raw mut api) };
    }
}
