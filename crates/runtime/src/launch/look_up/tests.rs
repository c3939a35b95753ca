//! The launch cache, alone: what is found again, and what is not.

use super::*;
use crate::config::Config;
use crate::device::Function;
use crate::device::cpu::CpuDevice;
use crate::location::SourceLocation;
use crate::present::Mapping;
use crate::state::DeviceState;
use crate::storage::arguments::ArgumentRange;
use crate::variable::{first, unnamed};
use accl_abi::{Format, Site as AbiSite, Var, arg_flags, data_kind, scheme};

const READ: u32 = arg_flags::READ;
const WRITTEN: u32 = arg_flags::WRITTEN;

/// A device with arrays at `(host, bytes, device)`, and its sync queue.
fn call(arrays: &[(usize, usize, u64)]) -> CallContext {
    static SITE: AbiSite = crate::location::routine(c"test");
    let config = Config::from_environment(&|_| None);
    let state: &'static DeviceState =
        Box::leak(Box::new(DeviceState::new(Box::new(CpuDevice::open(&config)))));
    for (host, bytes, device) in arrays {
        state.table().insert(Mapping::new(*host, *bytes, *device, std::ptr::null()));
    }
    CallContext { state, location: SourceLocation(&SITE), queue: state.queues.sync() }
}

fn var(base: usize, offset: usize, bytes: usize) -> Var {
    let of_program = unnamed(data_kind::PRESENT, 0, base as *mut c_void, bytes);
    Var { name: std::ptr::null(), offset, elem_size: 4, ..of_program }
}

fn data(index: u32, flags: u32) -> Arg {
    Arg { kind: arg_kind::DATA, index, size: 0, flags }
}

/// A kernel with these arguments, launched.
struct Launched {
    kernel: &'static Kernel,
    vars: Vec<Var>,
    info: LaunchInfo,
}

impl Launched {
    fn new(table: &[Arg], vars: &[Var]) -> Launched {
        let table: &'static [Arg] = Box::leak(table.to_vec().into());
        let kernel: &'static Kernel = Box::leak(Box::new(Kernel {
            site: std::ptr::null(),
            cpu: None,
            cpu_apart: None,
            flags: 0,
            n_dims: 1,
            grid: [1, 0, 0],
            n_variants: 0,
            variants: std::ptr::null(),
            n_args: table.len() as u32,
            n_reductions: 0,
            n_indirect_pointers: 0,
            indirect_pointers: std::ptr::null(),
            args: table.as_ptr(),
            reductions: std::ptr::null(),
            obstacle: std::ptr::null(),
        }));
        let info = LaunchInfo {
            module: std::ptr::null(),
            kernel,
            vars: std::ptr::null_mut(),
            values: std::ptr::null(),
            reduction_vars: std::ptr::null(),
            trips: [100, 1, 1],
            num_gangs: 0,
            num_workers: 0,
            vector_length: 0,
            row_length: 0,
            async_: -1,
            dynamic_tiles: std::ptr::null(),
            halo_extents: std::ptr::null(),
            n_dynamic_tiles: 0,
        };
        Launched { kernel, vars: vars.to_vec(), info }
    }

    fn info(&mut self) -> LaunchInfo {
        LaunchInfo { vars: self.vars.as_mut_ptr(), ..self.info }
    }

    /// What `resolve` makes of plain arrays in one piece of device memory with the host's addresses.
    fn ranges(&self) -> Vec<ArgumentRange> {
        // SAFETY: a table of `new`.
        let table = unsafe { slice(self.kernel.args, self.kernel.n_args) };
        let range = |arg: &Arg| {
            let var = &self.vars[arg.index as usize];
            let (base, begin) = (var.base as u64, first(var) as u64);
            let end = begin + var.bytes as u64;
            let flags = if arg.kind == arg_kind::DATA { arg.flags } else { 0 };
            ArgumentRange { begin, end, flags, base, reach: end - base, known: true }
        };
        table.iter().map(range).collect()
    }

    fn keep(&mut self, cache: &mut LaunchCache, call: &CallContext, generation: u64) {
        let function = Box::leak(Box::new(Function {
            raw: 0,
            block_threads: 1,
            symbol: String::new(),
            awaits: false,
            splits: false,
            measured: 0,
            cost: 0.into(),
        }));
        let ranges = self.ranges();
        let arguments = ranges.iter().map(|r| Argument::Data { base: r.base, inside: r.begin }).collect();
        let given = LaunchArguments { arguments, targets: SmallVec::new() };
        let prepared = Prepared { given, ranges: ranges.into(), any_encoded: false };
        let (grid, block) = ([1; 3], [1; 3]);
        let plan = LaunchPlan { function, variant: 0, awaited: false, grid, block, shared_bytes: 0 };
        // SAFETY: lists of `new`.
        unsafe { cache.keep(call, &self.info(), generation, &prepared, &plan) };
    }

    /// The bases of the arguments, if the launch is found.
    fn found(&mut self, cache: &mut LaunchCache, call: &CallContext, generation: u64) -> Option<Vec<u64>> {
        // SAFETY: lists of `new`.
        let entry = unsafe { cache.find(call, &self.info(), generation)? };
        let base = |argument: &Argument| match argument {
            Argument::Data { base, .. } => *base,
            _ => 0,
        };
        Some(entry.given.arguments.iter().map(base).collect())
    }
}

fn cache() -> LaunchCache {
    LaunchCache { kernels: Vec::new() }
}

const APART: [(usize, usize, u64); 2] = [(0x1000, 0x1000, 0x1000), (0x4000, 0x1000, 0x4000)];

fn two_arrays() -> Launched {
    let vars = [var(0x1000, 0, 400), var(0x4000, 0, 400)];
    Launched::new(&[data(0, READ), data(1, WRITTEN)], &vars)
}

#[test]
fn the_same_launch_is_found_until_anything_changes() {
    let (call, mut cache, mut one) = (call(&APART), cache(), two_arrays());
    assert_eq!(one.found(&mut cache, &call, 7), None);
    one.keep(&mut cache, &call, 7);
    assert_eq!(one.found(&mut cache, &call, 7), Some(vec![0x1000, 0x4000]));
    assert_eq!(one.found(&mut cache, &call, 8), None, "a table changed");
    assert_eq!(two_arrays().found(&mut cache, &call, 7), None, "another kernel");

    let changes: [fn(&mut Launched); 8] = [
        |l| l.info.trips[0] += 1,
        |l| l.info.trips[2] += 1,
        |l| l.info.num_gangs = 1,
        |l| l.info.num_workers = 1,
        |l| l.info.vector_length = 1,
        |l| l.vars[0].bytes = 396,
        |l| l.vars[1].kind = data_kind::COPY,
        |l| l.vars[1].base = l.vars[0].base,
    ];
    for change in changes {
        let before = (one.info, one.vars.clone());
        change(&mut one);
        assert_eq!(one.found(&mut cache, &call, 7), None);
        (one.info, one.vars) = before;
    }
    let queue = call.state.queues.get(&*call.state.device, 3).unwrap();
    let elsewhere = CallContext { queue, ..call };
    assert_eq!(one.found(&mut cache, &elsewhere, 7), None, "another queue");
    assert!(one.found(&mut cache, &elsewhere, 7).is_none());
}

#[test]
fn a_format_is_compared_by_what_it_says() {
    let (call, mut cache, mut one) = (call(&APART), cache(), two_arrays());
    let format = Format {
        scheme: scheme::RANGE,
        bits: 16,
        type_: 9,
        members: 1,
        layout: 1,
        has_range: 0,
        min: 0.0,
        max: 0.0,
        checked: 0,
        reserved: 0,
    };
    let (same, other) = (format, Format { bits: 12, ..format });
    one.vars[0].format = &raw const format;
    one.keep(&mut cache, &call, 7);
    one.vars[0].format = &raw const same;
    assert!(one.found(&mut cache, &call, 7).is_some());
    one.vars[0].base = 0x1010 as *mut c_void;
    assert!(one.found(&mut cache, &call, 7).is_none(), "compressed arrays do not move");
    one.vars[0].base = 0x1000 as *mut c_void;
    one.vars[0].format = &raw const other;
    assert!(one.found(&mut cache, &call, 7).is_none());
    one.vars[0].format = std::ptr::null();
    assert!(one.found(&mut cache, &call, 7).is_none());
}

#[test]
fn arrays_that_take_turns_are_found_in_each_order() {
    let (call, mut cache, mut one) = (call(&APART), cache(), two_arrays());
    for _ in 0..2 {
        one.keep(&mut cache, &call, 7);
        one.vars.swap(0, 1);
    }
    assert_eq!(one.found(&mut cache, &call, 7), Some(vec![0x1000, 0x4000]));
    one.vars.swap(0, 1);
    assert_eq!(one.found(&mut cache, &call, 7), Some(vec![0x4000, 0x1000]));
}

#[test]
fn sections_move_within_their_arrays() {
    let (call, mut cache, mut one) = (call(&APART), cache(), two_arrays());
    one.keep(&mut cache, &call, 7);
    one.vars[0] = var(0x1000 + 404, 0, 400);
    assert_eq!(one.found(&mut cache, &call, 7), Some(vec![0x1000 + 404, 0x4000]));
    // By the offset: what the kernel indexes from stays.
    one.vars[0] = var(0x1000, 800, 400);
    assert_eq!(one.found(&mut cache, &call, 7), Some(vec![0x1000, 0x4000]));
    for outside in [var(0x2000 - 396, 0, 400), var(0x1000, 0x1000, 400), var(0xffc, 0, 400)] {
        one.vars[0] = outside;
        assert_eq!(one.found(&mut cache, &call, 7), None);
    }
}

#[test]
fn parts_of_one_array_do_not_move() {
    let whole = [(0x1000, 0x4000, 0x1000)];
    let (call, mut cache, mut one) = (call(&whole), cache(), two_arrays());
    one.keep(&mut cache, &call, 7);
    assert!(one.found(&mut cache, &call, 7).is_some());
    one.vars[0] = var(0x1000 + 400, 0, 400);
    assert!(one.found(&mut cache, &call, 7).is_none(), "the written one might be met");
}

#[test]
fn sections_of_wide_accesses_move_by_whole_ones_and_windows_stay() {
    let call = call(&APART);
    let extent = Arg { kind: arg_kind::EXTENT, index: 0, size: 4, flags: 0 };
    let vector = [data(0, READ | arg_flags::VECTOR), data(1, WRITTEN)];
    let window = [data(0, READ), data(1, WRITTEN), extent];
    for (table, by, is_found) in [(&vector[..], 16, true), (&vector, 4, false), (&window, 16, false)] {
        let mut cache = cache();
        let mut one = Launched::new(table, &two_arrays().vars);
        one.keep(&mut cache, &call, 7);
        assert!(one.found(&mut cache, &call, 7).is_some());
        one.vars[0] = var(0x1000 + by, 0, 400);
        assert_eq!(one.found(&mut cache, &call, 7).is_some(), is_found);
    }
}

#[test]
fn launches_that_never_come_again_are_seldom_kept() {
    let mut entries = KernelEntries::default();
    let kept = (0..1000).filter(|_| entries.is_due()).count();
    assert!((16..100).contains(&kept), "{kept}");
    entries.in_vain = 0;
    assert!(entries.is_due());
}
