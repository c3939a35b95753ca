//! The code of parts, each compiled once in a process: by the launch that needs it, or by threads in the background.
//!
//! When a device is started, and when a module that was not known then is first launched, its parts are put on a list, variants
//! that kernels prefer first. Threads, as many as there are cores and eight at most, compile them side by side, which NVRTC
//! allows, and leave the code here and in the cache on disk. A launch takes a part that is done, waits for one that is being
//! compiled, and compiles by itself one that nobody has begun.
//!
//! Invariants: the threads use NVRTC alone, never the driver, and only texts of their own, so that a library may be unloaded
//! meanwhile. The program's end waits for what is being compiled, which the next run then finds in the cache: NVRTC must not work on
//! while its library's own exit handlers run. (NVRTC 13 can be told to give up, but now and then one of several threads that did so
//! at once never came back.) NVRTC registers handlers while it compiles for the first time, too, and handlers run in the order
//! opposite to that in which they are registered; but before all of them the destructors of the ending thread's own variables
//! run, and there the main thread waits ([`AtEnd`]). A forked child has no such threads and waits for none.

use super::compiler::{options, say_compiled};
use super::parts::UncompiledVariant;
use super::{api, nvrtc};
use crate::cache::{self, Key};
use crate::error::{DeviceError, Result};
use crate::{clock, instance};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, Once};
use std::thread::JoinHandle;
use std::time::Instant;

pub type Code = Arc<Vec<u8>>;

const MOST_THREADS: usize = 8;
/// NVRTC recurses as deep as expressions do; the main thread usually has 8 MiB.
const STACK: usize = 16 << 20;

/// What is known of a part that somebody has begun.
enum Build {
    Running,
    Done(Result<Code>),
}

#[derive(Default)]
struct State {
    /// What nobody may have begun, in the order in which it is compiled.
    waiting: VecDeque<Arc<UncompiledVariant>>,
    builds: HashMap<Key, Build>,
    threads: Vec<JoinHandle<()>>,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);
/// Signalled when a build is done or given up.
static CHANGED: Condvar = Condvar::new();
/// The program ends.
static STOPPING: AtomicBool = AtomicBool::new(false);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The code of a part; `None` where there is no NVRTC to compile it.
pub fn code(part: &UncompiledVariant) -> Result<Option<Code>> {
    let mut state = state();
    loop {
        match state.builds.get(&part.key) {
            Some(Build::Done(result)) => return result.clone().map(Some),
            Some(Build::Running) => {
                state = CHANGED.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            None => break,
        }
    }
    state.builds.insert(part.key, Build::Running);
    drop(state);
    let result = match cache::get(part.key) {
        Some(code) => Some(Ok(code)),
        None => compiled(part),
    };
    finish(part.key, result).transpose()
}

/// As [`code`], where what it gave turned out to be of no use.
pub fn code_anew(part: &UncompiledVariant) -> Result<Option<Code>> {
    cache::discard(part.key);
    state().builds.remove(&part.key);
    code(part)
}

/// Ends a build; with `None` it is as if nobody had begun it.
fn finish(key: Key, result: Option<Result<Vec<u8>>>) -> Option<Result<Code>> {
    let result = result.map(|result| result.map(Arc::new));
    let mut state = state();
    match &result {
        Some(result) => _ = state.builds.insert(key, Build::Done(result.clone())),
        None => _ = state.builds.remove(&key),
    }
    CHANGED.notify_all();
    result
}

/// NVRTC's code, which is then in the cache, too; `None` where there is no NVRTC.
fn compiled(part: &UncompiledVariant) -> Option<Result<Vec<u8>>> {
    let nvrtc = api::nvrtc().ok()?;
    // NVRTC loads a library when it first compiles, and registers handlers. Programs on machines that had just been started, where
    // that takes long, crashed now and then while several threads did it at once.
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        _ = nvrtc::for_device(nvrtc, c"__global__ void first() {}", part.target.capability, &options());
        stop_before_later_handlers();
    });
    let started = Instant::now();
    let source = part.source();
    let result = nvrtc::for_device(nvrtc, &source, part.target.capability, &options());
    if let Ok(code) = &result {
        cache::put(part.key, code);
        say_compiled(&part.symbol, &source, started);
    }
    Some(result)
}

/// Has threads compile parts that no launch has asked for yet.
pub fn compile(parts: impl IntoIterator<Item = Arc<UncompiledVariant>>) {
    static STARTED: Once = Once::new();
    STARTED.call_once(stop_before_later_handlers);
    AT_END.with(|_| ());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut state = state();
    state.waiting.extend(parts);
    state.waiting.make_contiguous().sort_by_key(|part| part.rank);
    state.threads.retain(|thread| !thread.is_finished());
    // On one core they would only hold the program up.
    let most = if cores > 1 { cores.min(MOST_THREADS) } else { 0 };
    let wanted = most.min(state.waiting.len());
    while state.threads.len() < wanted && !STOPPING.load(Ordering::Relaxed) {
        let thread = std::thread::Builder::new().name("accl-nvrtc".into()).stack_size(STACK);
        match thread.spawn(|| clock::inside(work)) {
            Ok(thread) => state.threads.push(thread),
            // Launches compile what they need.
            Err(_) => return,
        }
    }
}

/// The life of a thread, until nothing is left to be compiled.
fn work() {
    block_signals();
    while let Some(part) = next() {
        let result = if cache::contains(part.key) { None } else { compiled_ahead(&part) };
        finish(part.key, result);
    }
}

/// Takes the next part that nobody has begun.
fn next() -> Option<Arc<UncompiledVariant>> {
    let mut state = state();
    while !STOPPING.load(Ordering::Relaxed) {
        let part = state.waiting.pop_front()?;
        if let Entry::Vacant(place) = state.builds.entry(part.key) {
            place.insert(Build::Running);
            return Some(part);
        }
    }
    None
}

/// `None`: there is no NVRTC.
fn compiled_ahead(part: &UncompiledVariant) -> Option<Result<Vec<u8>>> {
    static LOADED: Once = Once::new();
    if api::nvrtc().is_ok() {
        LOADED.call_once(stop_before_later_handlers);
    }
    let result = std::panic::catch_unwind(|| compiled(part));
    let panicked = |_| Some(Err(DeviceError::new("internal error: a thread that compiles kernels panicked")));
    result.unwrap_or_else(panicked)
}

/// The program's handlers of signals must not run in a thread that it does not know.
fn block_signals() {
    // SAFETY: a set of signals that is filled before it is used, and this thread's mask.
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
}

/// Has the threads stopped at the program's end before what is registered by now is run. NVRTC may register handlers when it is
/// loaded and when it is first used.
fn stop_before_later_handlers() {
    // SAFETY: a function of the right type; a library that holds it runs it before it is unloaded.
    unsafe { libc::atexit(stop) };
}

/// A variable of the main thread, whose end is the program's.
struct AtEnd;

thread_local! {
    static AT_END: AtEnd = const { AtEnd };
}

impl Drop for AtEnd {
    fn drop(&mut self) {
        // SAFETY: they ask for two numbers.
        if unsafe { libc::gettid() == libc::getpid() } {
            stop();
        }
    }
}

extern "C" fn stop() {
    if instance::is_forked() {
        return;
    }
    STOPPING.store(true, Ordering::Relaxed);
    let threads = std::mem::take(&mut state().threads);
    for thread in threads {
        _ = thread.join();
    }
}
