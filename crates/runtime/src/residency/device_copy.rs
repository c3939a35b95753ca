//! The device's copy of an object: made at its first use, brought up to date for each construct, brought home where the host reads.

use super::aside::Aside;
use super::faults::FaultWindow;
use super::objects::{self, HostObject};
use super::pages::{Current, Pages, page};
use super::read_ahead;
use super::recent;
use super::tables::Table;
use super::untouched::untouched;
use crate::call::CallContext;
use crate::config::config;
use crate::data::no_memory;
use crate::device::{Kind, QueueId, SYNC_QUEUE};
use crate::location::{Name, SourceLocation, routine};
use crate::pool::Block;
use crate::profile::Work;
use crate::profiling::Data;
use crate::state::DeviceState;
use crate::variable::name;
use crate::{log, transfer};
use accl_abi::{Site, Var, data_kind};
use smallvec::{SmallVec, smallvec};
use std::ffi::c_char;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Objects that have a copy on a device. Where there is none, no page is protected.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

#[inline]
pub fn any() -> bool {
    ACTIVE.load(Ordering::Acquire) > 0
}

/// To send so many pages takes as long as to begin another transfer.
const SENT_ALONG: usize = 64;

/// So many pages are put aside sooner than they are written one by one.
const MANY: usize = 128;

/// The host's accesses have brought so many pages at once: what it reads next is read ahead.
const LARGE_PIECE: usize = 256;

/// At most so many bytes are brought home at once.
const PIECE: usize = 32 << 20;

pub struct DeviceCopy {
    pub state: &'static DeviceState,
    block: Block,
    /// Those whose work may use it, and which the host has not waited for since.
    queues: SmallVec<[QueueId; 2]>,
    pub pages: Pages,
    /// The parts of the object that share a page with something else, as they were when both sides had the same.
    ends: [Option<Vec<u8>>; 2],
    faults: FaultWindow,
    /// As the last construct that used it calls it.
    name: *const c_char,
    used: u64,
    /// The number of the last change of the contents that was noticed: by the host, when they were sent, or by a kernel. What kernels
    /// write to the translated copy of a table is none.
    changed: u64,
    /// The object is a table, to whose translated copy kernels have written: that has the contents of pages that are not the host's.
    translated: Option<TranslatedTable>,
}

/// Where the device has the translated copy of a table, whose pointers are not those of the host.
#[derive(Clone)]
pub struct TranslatedTable {
    pub table: Table,
    pub device: u64,
}

// SAFETY: the name is a constant of the program.
unsafe impl Send for DeviceCopy {}

/// The part of an object at its begin, and at its end, whose pages are not its own.
fn ends(object: &HostObject) -> [Range<usize>; 2] {
    let (first, last) = (object.pages.start.min(object.end()), object.pages.end.min(object.end()));
    [object.start..first, last.max(first)..object.end()]
}

fn common(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// Brings a section up to date for a construct that uses it as the item's kind says. Gives the device address of the object.
pub fn bring(call: &CallContext, object: &HostObject, var: &Var, section: Range<usize>) -> u64 {
    let mut locked = object.lock();
    if object.is_retired() {
        let message =
            format!("memory beside rows of {} was freed while they were brought to the device", name(var));
        call.fatal(var.line, &message, &[]);
    }
    if locked.as_ref().is_some_and(|copy| !std::ptr::eq(copy.state, call.state)) {
        take_home(object, &mut locked);
    }
    object.begin_use();
    let is_new = locked.is_none();
    let copy = locked.get_or_insert_with(|| DeviceCopy::new(call, object, var));
    copy.settle(object);
    if is_new && object.begins_cleared && var.kind != data_kind::COPYOUT {
        copy.clear_untouched(call, object, &section);
    }
    // What only the host writes has no kernel that would tell when its accesses begin anew.
    copy.faults.launched();
    copy.join(call);
    copy.name = var.name;
    copy.used = now();
    match var.kind {
        data_kind::COPY | data_kind::COPYIN => {
            let all = copy.pages.around(&section);
            copy.upload(call, object, var, all);
            copy.upload_ends(call, object, var, &section);
        }
        // All of it is overwritten; what else lies in its first and last page is not.
        data_kind::COPYOUT => {
            let (around, inside) = (copy.pages.around(&section), copy.pages.inside(&section, object.end()));
            let beside = [around.start..inside.start, inside.end.max(inside.start)..around.end];
            for pages in beside.iter().filter(|pages| is_new && object.begins_cleared && !pages.is_empty()) {
                copy.clear_untouched(call, object, &copy.pages.addresses(pages));
            }
            copy.upload(call, object, var, around.start..inside.start);
            copy.upload(call, object, var, inside.end.max(inside.start)..around.end);
        }
        _ => {}
    }
    copy.block.address
}

/// The object is a table that is used through its translated copy, and whose pages tell what the host does to it. Nothing is brought.
/// `None` where it has no copy.
pub fn watch(call: &CallContext, object: &HostObject) -> Option<u64> {
    let mut locked = object.lock();
    let copy = locked.as_mut()?;
    object.begin_use();
    copy.faults.launched();
    copy.join(call);
    copy.used = now();
    Some(copy.block.address)
}

/// A kernel may have written to the translated copy of a table, beside its pointers.
pub fn written_translated(call: &CallContext, object: &HostObject, translated: TranslatedTable) {
    let mut locked = object.lock();
    let Some(copy) = &mut *locked else { return };
    let pages = copy.pages.around(&translated.table.extent);
    copy.translated = Some(translated);
    copy.faults.launched();
    copy.join(call);
    copy.now_on_device(object, &pages);
}

/// Brings home what kernels wrote to a table's translated copy, which is about to go.
pub fn settle(object: &HostObject, device: u64) {
    if let Some(copy) = &mut *object.lock()
        && copy.translated.as_ref().is_some_and(|translated| translated.device == device)
    {
        copy.settle(object);
    }
}

/// A kernel may have written a section. True where parts of it are on their way to pages that the object shares with something else:
/// [`ends_arrived`] is to be called when the queue is finished.
pub fn written(call: &CallContext, object: &HostObject, section: &Range<usize>) -> bool {
    let mut locked = object.lock();
    let Some(copy) = &mut *locked else { return false };
    copy.faults.launched();
    copy.changed = now();
    copy.join(call);
    let pages = copy.pages.around(section);
    copy.now_on_device(object, &pages) && copy.receive_ends(call, object, section)
}

/// What a kernel wrote of a section in pages that are not the object's alone is on the host now.
pub fn ends_arrived(object: &HostObject, section: &Range<usize>) {
    if let Some(copy) = &mut *object.lock() {
        copy.remember_ends(object, section);
    }
}

/// The number of the last change of an object's contents; `None` where the host may have changed them since, or the device has none of them.
pub fn last_change(state: &'static DeviceState, object: &HostObject) -> Option<u64> {
    let locked = object.lock();
    let copy = locked.as_ref().filter(|copy| std::ptr::eq(copy.state, state))?;
    let is_same = |(end, known): (Range<usize>, &Option<Vec<u8>>)| {
        // SAFETY: as in `upload_ends`.
        let now = unsafe { std::slice::from_raw_parts(end.start as *const u8, end.len()) };
        end.is_empty() || known.as_deref() == Some(now)
    };
    let nobody_else = match copy.translated {
        Some(_) => !copy.pages.has(Current::Host),
        None => copy.pages.all_are(Current::Both),
    };
    let as_sent = nobody_else && ends(object).into_iter().zip(&copy.ends).all(is_same);
    as_sent.then_some(copy.changed)
}

/// The device has pages that the host has not.
pub fn is_newer(object: &HostObject) -> bool {
    object.lock().as_ref().is_some_and(|copy| copy.pages.has(Current::Device))
}

/// Lets the host access a page. False where it could already: another thread was here first, or the fault is none of residency's.
pub fn access(object: &Arc<HostObject>, address: usize, writes: Option<bool>) -> bool {
    let mut locked = object.lock();
    let Some(copy) = &mut *locked else { return false };
    let Some(number) = copy.pages.number(address) else { return false };
    let state = copy.pages.state(number);
    let wanted = match (state, writes) {
        (Current::Device, Some(true)) | (Current::Both, Some(true) | None) => Current::Host,
        (Current::Device, Some(false) | None) => Current::Both,
        (Current::Both, Some(false)) | (Current::Host, _) => return false,
    };
    let run = copy.pages.run_around(number, &copy.faults.around(number));
    copy.faults.brought(&run);
    let goes_on = state == Current::Device && wanted == Current::Both && run.len() >= LARGE_PIECE;
    copy.make(object, run, wanted);
    if goes_on {
        read_ahead::begin(object);
    }
    true
}

/// Brings the pages behind those that the host reads one after the other. False where there are none.
pub fn read_ahead(object: &HostObject) -> bool {
    let mut locked = object.lock();
    let Some(copy) = &mut *locked else { return false };
    let ahead = copy.faults.ahead(copy.pages.all().end);
    if ahead.is_empty() || copy.pages.state(ahead.start) != Current::Device {
        return false;
    }
    let run = copy.pages.run_around(ahead.start, &ahead);
    copy.faults.went_ahead(&run);
    copy.make(object, run, Current::Both);
    true
}

/// The host is about to access some of the object's memory in a way that its protection does not notice.
pub fn prepare(object: &HostObject, part: &Range<usize>, writes: bool) {
    let mut locked = object.lock();
    let Some(copy) = &mut *locked else { return };
    let pages = copy.pages.around(part);
    let wanted = if writes { Current::Host } else { Current::Both };
    while let Some(run) = copy.pages.next_run(&pages, Current::Device) {
        copy.make(object, run, wanted);
    }
    while writes && let Some(run) = copy.pages.next_run(&pages, Current::Both) {
        copy.make(object, run, wanted);
    }
}

/// The object is freed: its contents go nowhere.
pub fn forget(object: &HostObject) {
    let mut locked = object.lock();
    if let Some(copy) = &mut *locked {
        let all = copy.pages.all();
        _ = copy.pages.set(all, Current::Host);
    }
    release(object, &mut locked);
}

/// Brings those copies home of which this holds.
pub fn release_all(holds: impl Fn(&DeviceCopy) -> bool) {
    for object in objects::all_tracked() {
        let mut locked = object.lock();
        if locked.as_ref().is_some_and(&holds) {
            take_home(&object, &mut locked);
        }
    }
}

/// Gives the device's memory of the object that was not used longest, and that no construct under way uses, back to the pool.
/// False where there is none.
pub fn make_room(state: &'static DeviceState) -> bool {
    if !any() {
        return false;
    }
    recent::new_epoch();
    let last_use = |object: &Arc<HostObject>| {
        let locked = object.try_lock()?;
        let copy = locked.as_ref().filter(|copy| std::ptr::eq(copy.state, state) && !object.is_used())?;
        Some(copy.used)
    };
    let candidates = objects::all_tracked().into_iter();
    let oldest =
        candidates.filter_map(|object| Some((last_use(&object)?, object))).min_by_key(|(used, _)| *used);
    let Some((_, object)) = oldest else { return false };
    let Some(mut locked) = object.try_lock().filter(|_| !object.is_used()) else { return false };
    take_home(&object, &mut locked);
    true
}

/// A number for each use.
fn now() -> u64 {
    static USES: AtomicU64 = AtomicU64::new(0);
    USES.fetch_add(1, Ordering::Relaxed)
}

pub fn take_home(object: &HostObject, locked: &mut Option<DeviceCopy>) {
    if let Some(copy) = locked {
        let all = copy.pages.all();
        while let Some(run) = copy.pages.next_run(&all, Current::Device) {
            copy.make(object, run, Current::Host);
        }
        _ = copy.pages.set(all, Current::Host);
    }
    release(object, locked);
}

fn release(object: &HostObject, locked: &mut Option<DeviceCopy>) {
    let Some(copy) = locked.take() else { return };
    recent::new_epoch();
    ACTIVE.fetch_sub(1, Ordering::Release);
    let call = host_call(copy.state);
    copy.queues.iter().filter(|queue| **queue != SYNC_QUEUE).for_each(|queue| call.order_after(*queue));
    log::allocation(
        "delete",
        copy.state,
        call.location,
        0,
        Name(copy.name),
        object.bytes,
        copy.block.address,
    );
    copy.state.pool.give(copy.block, SYNC_QUEUE);
}

/// What the host's accesses cause belongs to no directive.
pub fn host_call(state: &'static DeviceState) -> CallContext {
    static HOST: Site = routine(c"access of the host");
    CallContext::on(state, SourceLocation(&HOST))
}

impl DeviceCopy {
    fn new(call: &CallContext, object: &HostObject, var: &Var) -> DeviceCopy {
        super::signal::install();
        let state = call.state;
        let block = loop {
            match state.pool.take(&*state.device, object.bytes, call.queue.id) {
                Ok(block) => break block,
                Err(_) if make_room(state) => {}
                Err(error) => no_memory(call, var, object.bytes, &error),
            }
        };
        log::allocation("create", state, call.location, var.line, name(var), object.bytes, block.address);
        if config().poison || state.device.info().kind == Kind::Cpu {
            call.put("filling device memory", |queue| {
                // SAFETY: the block was just allocated with at least as many bytes.
                unsafe { state.device.fill(queue, block.address, 0xA5, object.bytes) }
            });
        }
        ACTIVE.fetch_add(1, Ordering::Release);
        recent::new_epoch();
        DeviceCopy {
            state,
            block,
            queues: smallvec![call.queue.id],
            pages: Pages::new(&object.pages),
            ends: [None, None],
            faults: FaultWindow::default(),
            name: var.name,
            used: 0,
            changed: now(),
            translated: None,
        }
    }

    /// Everything is the host's alone where some of it may be in a translated copy, so that the block gets it.
    fn settle(&mut self, object: &HostObject) {
        if self.translated.is_none() {
            return;
        }
        let all = self.pages.all();
        for state in [Current::Device, Current::Both] {
            while let Some(run) = self.pages.next_run(&all, state) {
                self.make(object, run, Current::Host);
            }
        }
        self.translated = None;
    }

    /// A kernel may have written these pages. False where the system keeps no more stretches of memory apart.
    fn now_on_device(&mut self, object: &HostObject, pages: &Range<usize>) -> bool {
        while let Some(run) = self.pages.next_run_not(pages, Current::Device) {
            if !self.pages.set(run.clone(), Current::Device) {
                self.pages.note(run, Current::Device);
                self.give_up(object);
                return false;
            }
        }
        true
    }

    /// Orders the call's queue after the one that used the copy first, as `data::join` does for a mapping.
    fn join(&mut self, call: &CallContext) {
        let id = call.queue.id;
        if self.queues.last() == Some(&id) || self.queues.contains(&id) {
            return;
        }
        if let Some(maker) = self.queues.first().copied().filter(|maker| *maker != SYNC_QUEUE) {
            call.order_after(maker);
        }
        self.queues.push(id);
    }

    fn device(&self, object: &HostObject, host: usize) -> u64 {
        self.block.address + (host - object.start) as u64
    }

    /// Clears the pages of a section that the host has never touched.
    fn clear_untouched(&mut self, call: &CallContext, object: &HostObject, section: &Range<usize>) {
        let pages = self.pages.around(section);
        let Some(untouched) = untouched(&self.pages.addresses(&pages)) else { return };
        let mut at = 0;
        for run in untouched.chunk_by(|a, b| a == b) {
            let pages = pages.start + at..pages.start + at + run.len();
            at += run.len();
            let bytes = common(&self.pages.addresses(&pages), &(object.start..object.end()));
            if run[0] && self.pages.set(pages, Current::Both) {
                let device = self.device(object, bytes.start);
                call.put("filling device memory", |queue| {
                    // SAFETY: a part of the object's block.
                    unsafe { self.state.device.fill(queue, device, 0, bytes.len()) }
                });
            }
        }
    }

    /// Sends pages that are the host's alone.
    fn upload(&mut self, call: &CallContext, object: &HostObject, var: &Var, within: Range<usize>) {
        let mut rest = within;
        while let Some(mut run) = self.pages.next_run(&rest, Current::Host) {
            // Protected first, so that what another thread writes from now on is noticed.
            // Where that is refused they stay the host's, and are sent each time.
            _ = self.pages.set(run.clone(), Current::Both);
            while let Some(next) = self.next_to_send(object, run.end..rest.end) {
                _ = self.pages.set(next.clone(), Current::Both);
                run.end = next.end;
            }
            rest.start = run.end;
            let bytes = common(&self.pages.addresses(&run), &(object.start..object.end()));
            self.changed = now();
            self.send(call, object, var, &bytes);
        }
    }

    /// The host's next pages, where only a few lie before them, which both sides have: these are sent along. A construct of another
    /// thread that is under way may be about to write them.
    fn next_to_send(&self, object: &HostObject, within: Range<usize>) -> Option<Range<usize>> {
        let next = self.pages.next_run(&within, Current::Host)?;
        let between = within.start..next.start;
        let both = between.len() <= SENT_ALONG && self.pages.next_run_not(&between, Current::Both).is_none();
        (both && object.is_used_once()).then_some(next)
    }

    fn send(&self, call: &CallContext, object: &HostObject, var: &Var, bytes: &Range<usize>) {
        if !bytes.is_empty() {
            let device = self.device(object, bytes.start);
            transfer::send_current(call, name(var), var.line, bytes.start, device, bytes.len());
        }
    }

    fn upload_ends(&mut self, call: &CallContext, object: &HostObject, var: &Var, section: &Range<usize>) {
        for (at, end) in ends(object).into_iter().enumerate() {
            if common(&end, section).is_empty() {
                continue;
            }
            // SAFETY: a part of the object, which is not freed while a construct uses it.
            let now = unsafe { std::slice::from_raw_parts(end.start as *const u8, end.len()) };
            if self.ends[at].as_deref() != Some(now) {
                self.ends[at] = Some(now.to_vec());
                self.changed = self::now();
                self.send(call, object, var, &end);
            }
        }
    }

    /// True where there are such parts of the section.
    fn receive_ends(&self, call: &CallContext, object: &HostObject, section: &Range<usize>) -> bool {
        let parts = ends(object).map(|end| common(&end, section));
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let device = self.device(object, part.start);
            transfer::receive_current(call, Name(self.name), 0, part.start, device, part.len());
        }
        parts.iter().any(|part| !part.is_empty())
    }

    fn remember_ends(&mut self, object: &HostObject, section: &Range<usize>) {
        for (end, known) in ends(object).into_iter().zip(&mut self.ends) {
            let part = common(&end, section);
            if let Some(known) = known.as_mut().filter(|_| !part.is_empty()) {
                let from = part.start - end.start;
                // SAFETY: as in `upload_ends`.
                let now = unsafe { std::slice::from_raw_parts(part.start as *const u8, part.len()) };
                known[from..from + part.len()].copy_from_slice(now);
            }
        }
    }

    /// Brings a run of pages of one state into another, of which the host has more.
    fn make(&mut self, object: &HostObject, run: Range<usize>, wanted: Current) {
        // Constructs that come now wait for the lock, and find the page in its new state.
        recent::new_epoch();
        let fetch = self.pages.state(run.start) == Current::Device;
        let mut rest = run;
        while !rest.is_empty() {
            let piece = rest.start..(rest.start + PIECE.div_ceil(page())).min(rest.end);
            if fetch {
                self.fetch(object, &piece, wanted);
            }
            rest.start = piece.end;
            if !self.pages.set(piece, wanted) {
                return self.give_up(object);
            }
        }
    }

    /// Brings the contents of pages that are the device's, and become the host's or both's. No other thread reads a page before it
    /// is complete.
    fn fetch(&mut self, object: &HostObject, run: &Range<usize>, wanted: Current) {
        let call = host_call(self.state);
        self.wait(&call);
        let pages = self.pages.addresses(run);
        if let Some(translated) = &self.translated {
            return self.fetch_translated(&call, translated, &common(&pages, &translated.table.extent));
        }
        let bytes = common(&pages, &(object.start..object.end()));
        let device = self.device(object, bytes.start);
        let told = Data { name: Name(self.name), bytes: bytes.len(), host: bytes.start, device };
        let aside = (run.len() >= MANY).then(|| Aside::put(pages)).flatten();
        let mut take = |begin: usize, arrived: *mut u8, length: usize| {
            // SAFETY: a part that has arrived.
            store(bytes.start + begin, unsafe { std::slice::from_raw_parts(arrived, length) });
        };
        // SAFETY, twice: a part of the object's block, and what was put aside of the object or is written as it arrives.
        call.transfer(Work::Download, 0, told, |queue| match &aside {
            Some(aside) => unsafe {
                self.state.device.download(queue, device, aside.address(bytes.start) as *mut u8, bytes.len())
            },
            None => unsafe { self.state.device.download_taken(queue, device, bytes.len(), 1, &mut take) },
        });
        let Some(aside) = aside else { return };
        self.state.finish(call.location, call.queue);
        if !aside.back(wanted.protection()) {
            refused(&call, "pages cannot be put back");
        }
    }

    /// As `fetch`, of a table's translated copy: the host's pointers stay.
    fn fetch_translated(&self, call: &CallContext, from: &TranslatedTable, bytes: &Range<usize>) {
        if bytes.is_empty() {
            return;
        }
        let table = &from.table;
        let device = from.device + (bytes.start - table.extent.start) as u64;
        let told = Data { name: Name(self.name), bytes: bytes.len(), host: bytes.start, device };
        let mut arrived = vec![0u8; bytes.len()];
        call.transfer(Work::Download, 0, told, |queue| {
            // SAFETY: a part of the copy's block, and a buffer that stays until the queue is finished.
            unsafe { self.state.device.download(queue, device, arrived.as_mut_ptr(), bytes.len()) }
        });
        self.state.finish(call.location, call.queue);
        let mut known = vec![0u8; bytes.len()];
        if load(bytes.start, &mut known).is_none() {
            refused(call, "memory cannot be read");
        }
        for pointer in table.places_of_pointers(bytes) {
            let part = common(&pointer, bytes);
            let part = part.start - bytes.start..part.end - bytes.start;
            arrived[part.clone()].copy_from_slice(&known[part]);
        }
        store(bytes.start, &arrived);
    }

    /// Waits for what may write the copy.
    fn wait(&mut self, call: &CallContext) {
        for queue in self.state.queues.all() {
            if queue.is_sync() || self.queues.contains(&queue.id) {
                self.state.finish(call.location, queue);
            }
        }
        self.queues = smallvec![SYNC_QUEUE];
    }

    /// The system keeps no more stretches of memory apart: everything is brought home, and has one protection.
    fn give_up(&mut self, object: &HostObject) {
        let all = self.pages.all();
        let mut rest = all.clone();
        while let Some(run) = self.pages.next_run(&rest, Current::Device) {
            self.fetch(object, &run, Current::Host);
            rest.start = run.end;
        }
        if !self.pages.set(all, Current::Host) {
            refused(&host_call(self.state), "memory cannot be unprotected");
        }
    }
}

/// The system has refused something without which the program cannot go on.
fn refused(call: &CallContext, what: &str) -> ! {
    let error = std::io::Error::last_os_error();
    call.fatal(0, &format!("{what}: {error}"), &[])
}

/// The process's memory as a file, by which it is accessed whatever its protection is. `None` where that is forbidden.
fn memory() -> Option<&'static std::fs::File> {
    static MEMORY: OnceLock<Option<std::fs::File>> = OnceLock::new();
    let open = || std::fs::File::options().read(true).write(true).open("/proc/self/mem").ok();
    MEMORY.get_or_init(open).as_ref()
}

/// Pages can be read that have no access, so that what arrives can be put together with what they hold.
pub fn can_merge() -> bool {
    memory().is_some()
}

/// Reads memory whatever its protection is.
fn load(address: usize, to: &mut [u8]) -> Option<()> {
    memory()?.read_exact_at(to, address as u64).ok()
}

/// Writes to memory whatever its protection is.
fn store(address: usize, contents: &[u8]) {
    let done = memory().is_some_and(|file| file.write_all_at(contents, address as u64).is_ok());
    if !done {
        // Where that is forbidden, other threads may read what is half written.
        let begin = address - address % page();
        let length = (address + contents.len()).next_multiple_of(page()) - begin;
        // SAFETY: pages of an object, and its bytes.
        unsafe {
            libc::mprotect(begin as *mut _, length, libc::PROT_READ | libc::PROT_WRITE);
            std::ptr::copy_nonoverlapping(contents.as_ptr(), address as *mut u8, contents.len());
        }
    }
}
