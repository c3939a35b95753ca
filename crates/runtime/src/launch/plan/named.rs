//! The variant that the user tells a launch to take (`ACCL_VARIANT`).
//!
//! A variant is named as [`super::names`] does. It is taken where the launch has what the variant cannot do without;
//! whether it pays is then the user's business. A name that the kernel has no variant of, a need that does not hold, and a device
//! that has one version only are told in a warning, once.
//!
//! Invariant: where the variable is not set, a launch that is planned pays one comparison, one that is repeated nothing.

use super::names::{name, names};
use super::variants::Candidates;
use crate::call::CallContext;
use crate::config::config;
use crate::device::Kind;
use crate::dynamic_tiles::DynamicTiles;
use crate::storage::arguments::ArgumentRange;
use crate::storage::launch::Form;
use crate::variant_rules::{Rule, warn};
use accl_abi::{Kernel, Variant, kernel_flags, needs};

/// The one variant that is named for the launch, where it can run it; `usual` are those that the launch chooses from otherwise.
#[inline]
pub(super) fn candidates<'a>(
    call: &CallContext,
    kernel: &Kernel,
    variants: &'static [Variant],
    usual: Candidates<'a>,
    tiles: Option<&DynamicTiles>,
    ranges: &[ArgumentRange],
) -> Option<Candidates<'a>> {
    let rules = &config().variants;
    // Nobody chooses a fallback.
    if rules.is_empty() || kernel.flags & kernel_flags::FALLBACK != 0 {
        return None;
    }
    let at = named(rules, call, variants)?;
    let variant = &variants[at];
    let why = if tiles.is_some_and(|tiles| !tiles.fit(kernel, at, variant)) {
        Some("its arrays do not fit into a block's shared memory")
    } else if variant.needs & needs::FEW_LANES != 0 && call.state.device.info().kind != Kind::Cuda {
        Some("only on CUDA do lanes of a part of a warp work together")
    } else if variant.needs & needs::DECODED != 0 {
        // Its arrays' places are known when their decoded copies are.
        None
    } else {
        usual.unmet(variant, ranges)
    };
    if let Some(why) = why {
        not_taken(call, variants, at, why);
        return None;
    }
    Some(Candidates { variants: &variants[at..=at], first: at as u32, half_full: None, ..usual })
}

/// Says why a launch does not take the variant that is named, having found in which form its encoded arrays are handed to it.
#[cold]
pub(super) fn refused(
    call: &CallContext,
    variants: &[Variant],
    named: &Candidates,
    ranges: &[ArgumentRange],
    form: Form,
) {
    let why = match &named.variants[0] {
        variant if form == Form::Decoded => named.unmet(variant, ranges),
        _ => None,
    };
    let why = why.unwrap_or("its compressed arrays have no plain copies, or none can be made");
    not_taken(call, variants, named.first as usize, why);
}

/// The position of the variant that an entry names for a launch.
#[cold]
fn named(rules: &[Rule], call: &CallContext, variants: &[Variant]) -> Option<usize> {
    let (function, line) = (call.location.function(), call.location.0.line);
    let own = || rules.iter().filter(|rule| rule.is_for(&function, line));
    let position = |rule: &Rule| (0..variants.len()).find(|at| name(variants, *at) == rule.variant);
    // Several kernels may be launched from one place, each with variants of its own.
    let rule = own().find(|rule| position(rule).is_some()).or_else(|| own().next())?;
    rule.use_now();
    if call.state.device.info().kind == Kind::Cpu {
        warn("ACCL_VARIANT has no effect on the cpu device, which has one version of each kernel".to_owned());
        return None;
    }
    let found = position(rule);
    if found.is_none() {
        let (wanted, known, location) = (&rule.variant, names(variants), call.location.describe(0));
        warn(format!(
            "ACCL_VARIANT: the kernel has no variant {wanted}; its variants: {known}\n  {location}"
        ));
    }
    found
}

fn not_taken(call: &CallContext, variants: &[Variant], at: usize, why: &str) {
    let (name, location) = (name(variants, at), call.location.describe(0));
    warn(format!(
        "ACCL_VARIANT: the variant {name} cannot run a launch, which takes the usual choice: {why}\n  {location}"
    ));
}
