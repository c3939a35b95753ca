//! The third step of a launch: which variant of the kernel runs, and on how many threads.
//!
//! The compiler emits a kernel in one or more variants, best first, each with what it needs of the launch (no aliases,
//! alignment, 32-bit extents). The first whose needs hold is taken, unless the user names one. Each distributed dimension has a
//! rule by which its extent of the grid follows from the trip count.

mod lanes;
mod named;
mod names;
mod shape;
mod splits;
mod variants;

use super::prepare::Prepared;
use crate::call::CallContext;
use crate::config::config;
use crate::device::{Function, Kind, Launch, ReductionTarget};
use crate::dynamic_tiles::DynamicTiles;
use crate::functions::{load, try_load};
use crate::row_lengths::{self, RowLength};
use crate::storage::Exclusive;
use crate::storage::arguments::ArgumentRange;
use crate::storage::launch::{AfterLaunch, DecodedVersion, Form, LaunchArrays, Versions};
use crate::wisdom;
use accl_abi::{Kernel, LaunchInfo, Module, Variant, kernel_flags, needs, slice};
use variants::{Candidates, Lanes};

/// What a launch decides before it goes to the device.
#[derive(Clone, Copy)]
pub struct LaunchPlan {
    pub function: &'static Function,
    /// Its position among the kernel's variants.
    pub variant: u32,
    /// A result is to be on the host.
    pub awaited: bool,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared_bytes: u32,
}

/// Plans a launch with these arguments, in which encoded arrays are then in the form that the variant takes.
///
/// # Safety
/// As for [`launch`](super::launch).
#[inline]
pub(super) unsafe fn plan(
    call: &CallContext,
    exclusive: &Exclusive,
    info: &LaunchInfo,
    prepared: &mut Prepared,
) -> (LaunchPlan, AfterLaunch) {
    // SAFETY: constant tables of the program.
    let (kernel, module): (&'static Kernel, &'static Module) = unsafe { (&*info.kernel, &*info.module) };
    // SAFETY: as above.
    let variants = unsafe { slice(kernel.variants, kernel.n_variants) };
    // SAFETY: the caller's promise.
    let tiles = unsafe { DynamicTiles::of(call, kernel, info) };
    let usual = usual(call, kernel, info, variants, tiles.as_ref());
    let named = named::candidates(call, kernel, variants, usual, tiles.as_ref(), &prepared.ranges);
    let wise = !prepared.any_encoded && named.is_none();
    let known =
        wise.then(|| known(call, kernel, info, variants, usual, tiles.as_ref(), &prepared.ranges)).flatten();
    let candidates = named.or(known).unwrap_or(usual);
    let (form, after) = match prepared.any_encoded {
        false => (Form::Stored, AfterLaunch::default()),
        true => prepare_encoded(call, exclusive, info, prepared, &candidates, named.is_some()),
    };
    let (position, variant) = candidates.choose(&prepared.ranges, form).unwrap_or_else(|| {
        if let Some(named) = &named {
            named::refused(call, variants, named, &prepared.ranges, form);
        }
        usual.choose(&prepared.ranges, form).unwrap_or_else(|| usual.last())
    });
    let loaded = match on_cpu_apart(call, kernel, &prepared.ranges) {
        true => load(call, module, kernel, CPU_APART, &crate::device::cpu::APART),
        false => load(call, module, kernel, position, variant),
    };
    let sized = tiles.map(|tiles| tiles.sized(call, kernel, position, variant));
    let variant = sized.as_ref().unwrap_or(variant);
    let block = shape::block(call, kernel, variant, info, &loaded.function, usual.lanes.wanted);
    let plan = LaunchPlan {
        function: &loaded.function,
        variant: position,
        awaited: prepared.given.targets.iter().any(|target| matches!(target, ReductionTarget::Host(_))),
        grid: shape::grid(call, kernel, variant, info, block, loaded),
        block,
        shared_bytes: variant.shared_bytes,
    };
    (plan, after)
}

/// The position of the cpu's version of a kernel for arrays that do not overlap, which is none of its variants.
const CPU_APART: u32 = u32::MAX;

fn on_cpu_apart(call: &CallContext, kernel: &Kernel, ranges: &[ArgumentRange]) -> bool {
    kernel.cpu_apart.is_some()
        && call.state.device.info().kind == Kind::Cpu
        && super::prepare::no_alias(ranges)
}

/// The plan of a launch that takes the variant at a position, or why it cannot.
///
/// # Safety
/// As for [`launch`](super::launch).
pub(super) unsafe fn plan_of(
    call: &CallContext,
    info: &LaunchInfo,
    prepared: &Prepared,
    position: u32,
) -> Result<LaunchPlan, String> {
    // SAFETY: constant tables of the program.
    let (kernel, module): (&'static Kernel, &'static Module) = unsafe { (&*info.kernel, &*info.module) };
    // SAFETY: as above.
    let variants = unsafe { slice(kernel.variants, kernel.n_variants) };
    let variant = &variants[position as usize];
    // SAFETY: the caller's promise.
    let tiles = unsafe { DynamicTiles::of(call, kernel, info) };
    let usual = usual(call, kernel, info, variants, tiles.as_ref());
    if tiles.as_ref().is_some_and(|tiles| !tiles.fit(kernel, position as usize, variant)) {
        return Err("its arrays do not fit into a block's shared memory".to_owned());
    }
    if variant.needs & needs::FEW_LANES != 0 && call.state.device.info().kind != Kind::Cuda {
        return Err("only on CUDA do lanes of a part of a warp work together".to_owned());
    }
    if let Some(why) = usual.unmet(variant, &prepared.ranges) {
        return Err(why.to_owned());
    }
    let loaded = try_load(call, module, kernel, position, variant).map_err(|error| error.to_string())?;
    let sized = tiles.map(|tiles| tiles.sized(call, kernel, position, variant));
    let variant = sized.as_ref().unwrap_or(variant);
    let most = loaded.function.block_threads.min(call.state.device.limits().block_threads);
    let threads: u32 = variant.block.iter().product();
    if threads > most {
        return Err(format!("it has blocks of {threads} threads, and the device runs at most {most} of it"));
    }
    let block = shape::block(call, kernel, variant, info, &loaded.function, usual.lanes.wanted);
    Ok(LaunchPlan {
        function: &loaded.function,
        variant: position,
        awaited: prepared.given.targets.iter().any(|target| matches!(target, ReductionTarget::Host(_))),
        grid: shape::grid(call, kernel, variant, info, block, loaded),
        block,
        shared_bytes: variant.shared_bytes,
    })
}

/// The variant that tuning has found to be the fastest, where it can run the launch.
fn known<'a>(
    call: &CallContext,
    kernel: &'static Kernel,
    info: &LaunchInfo,
    variants: &'static [Variant],
    usual: Candidates<'a>,
    tiles: Option<&DynamicTiles>,
    ranges: &[ArgumentRange],
) -> Option<Candidates<'a>> {
    let at = wisdom::variant(call, kernel, info)?;
    let variant = &variants[at];
    let fits = tiles.is_none_or(|tiles| tiles.fit(kernel, at, variant))
        && (variant.needs & needs::FEW_LANES == 0 || call.state.device.info().kind == Kind::Cuda)
        && variant.needs & (needs::DECODED | needs::WHOLE_GROUPS) == 0
        && usual.unmet(variant, ranges).is_none();
    fits.then_some(Candidates { variants: &variants[at..=at], first: at as u32, half_full: None, ..usual })
}

/// The variants that a launch chooses from where the user names none.
fn usual<'a>(
    call: &CallContext,
    kernel: &Kernel,
    info: &'a LaunchInfo,
    variants: &'static [Variant],
    tiles: Option<&DynamicTiles>,
) -> Candidates<'a> {
    let skipped = tiles.map_or(0, |tiles| tiles.variants_that_do_not_fit(kernel, variants));
    Candidates {
        variants: &variants[skipped..],
        first: skipped as u32,
        trips: &info.trips[..kernel.n_dims as usize],
        num_gangs: info.num_gangs,
        half_full: Some(resident_threads(call) / 2),
        lanes: match variants.iter().any(|v| v.needs & (needs::FEW_LANES | needs::ONE_LANE) != 0) {
            true => lanes(call, kernel, info, variants),
            false => Lanes::default(),
        },
        row_length: info.row_length,
        tensor_f64: call.state.device.limits().tensor_f64,
        cuda: call.state.device.info().kind == Kind::Cuda,
        clusters: call.state.device.limits().clusters,
        block_shared: match call.state.device.info().kind {
            Kind::Cuda => call.state.device.limits().block_memory,
            Kind::Cpu | Kind::OpenCl => 0,
        },
    }
}

/// The threads that run at once on the device.
fn resident_threads(call: &CallContext) -> u64 {
    config().resident_threads.unwrap_or(call.state.device.limits().resident_threads)
}

/// The lanes for an iteration of the kernel's gang loop, which the launch chooses ([`lanes`](mod@lanes)).
#[cold]
fn lanes(call: &CallContext, kernel: &Kernel, info: &LaunchInfo, variants: &[Variant]) -> Lanes {
    let length = match info.row_length {
        0 => row_lengths::of(call, kernel, info.trips[0]),
        known => Some(RowLength { mean: known as f64, loops: lanes::loops(variants) }),
    };
    let device = call.state.device.info();
    // Where a processor runs threads one after the other, those of a block only wait for each other.
    let alone = !device.is_accelerator && config().resident_threads.is_none();
    Lanes {
        wanted: if alone { 1 } else { lanes::wanted(info.trips[0], length, resident_threads(call)) },
        can_be_few: device.kind == Kind::Cuda,
    }
}

/// Has the encoded arrays handed to the kernel in a form that one of the candidates takes. `named`: the user named it, so that
/// it need not pay.
fn prepare_encoded(
    call: &CallContext,
    exclusive: &Exclusive,
    info: &LaunchInfo,
    prepared: &mut Prepared,
    candidates: &Candidates,
    named: bool,
) -> (Form, AfterLaunch) {
    let versions = versions(call, candidates, prepared, named);
    // SAFETY: constant tables of the program.
    let table = unsafe { slice((*info.kernel).args, (*info.kernel).n_args) };
    let (arguments, ranges) = (&mut prepared.given.arguments[..], &mut prepared.ranges[..]);
    let mut arrays = LaunchArrays { info, table, arguments, ranges };
    crate::storage::launch::prepare(call, exclusive, &mut arrays, &versions)
}

/// Which versions for forms other than the stored one the launch could take.
fn versions(call: &CallContext, candidates: &Candidates, prepared: &Prepared, named: bool) -> Versions {
    let need = |variant: &Variant, bit| variant.needs & bit != 0;
    let ranges = &prepared.ranges;
    let whole_groups = candidates.variants.iter().any(|v| need(v, needs::WHOLE_GROUPS))
        && call.state.device.info().kind != Kind::Cpu
        && candidates.choose(ranges, Form::WholeGroups).is_some();
    let first_decoded = candidates.variants.iter().position(|v| need(v, needs::DECODED));
    let decoded = first_decoded.filter(|at| {
        // What comes before decodes each element once.
        let before = Candidates { variants: &candidates.variants[..*at], ..*candidates };
        !whole_groups && (*at == 0 || before.choose(ranges, Form::Stored).is_none())
    });
    let reused = |at: usize| named || need(&candidates.variants[at], needs::REUSED);
    Versions { whole_groups, decoded: decoded.map(|at| DecodedVersion { reused: reused(at) }) }
}

/// What a variant is called in messages.
pub fn variant_name(kernel: &'static Kernel, variant: u32) -> String {
    // SAFETY: a constant table of the program.
    names::name(unsafe { slice(kernel.variants, kernel.n_variants) }, variant as usize).into_owned()
}

/// What a kernel is called among those of its module, of which several may be launched from one place.
pub fn kernel_name(kernel: &'static Kernel) -> String {
    names::kernel_name(kernel).into_owned()
}

/// The name of the variant that is launched, where there was a choice.
#[cold]
pub(super) fn shown_variant(call: &CallContext, plan: &LaunchPlan, launch: &Launch) -> Option<String> {
    if launch.kernel.flags & kernel_flags::FALLBACK != 0 {
        return Some("fallback".to_owned());
    }
    if call.state.device.info().kind == Kind::Cpu {
        let apart = |entry: accl_abi::CpuEntry| entry as usize == plan.function.raw;
        return launch.kernel.cpu_apart.is_some_and(apart).then(|| "apart".to_owned());
    }
    names::among_several(launch.kernel, plan.variant)
}
