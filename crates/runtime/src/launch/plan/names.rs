//! What the variants of a kernel are called: in `ACCL_VARIANT`, and in what is said of launches.
//!
//! The compiler names a variant's symbol after its kernel and what is special about it: `main_12_wide`. The last variant has the
//! kernel's name alone, and is called `plain`.

use crate::variant_rules::PLAIN;
use accl_abi::{Kernel, Variant, slice, text};
use std::borrow::Cow;

/// The name of the variant at a position.
pub(super) fn name(variants: &[Variant], at: usize) -> Cow<'static, str> {
    // SAFETY: constants of the program.
    let symbol = |variant: &Variant| unsafe { text(variant.symbol) };
    let (Some(variant), Some(plain)) = (variants.get(at), variants.last()) else { return PLAIN.into() };
    let own = symbol(variant);
    match own.strip_prefix(&*symbol(plain)) {
        Some("") => PLAIN.into(),
        Some(rest) => rest.trim_start_matches('_').to_owned().into(),
        None => own,
    }
}

/// The kernel's name, which no other of its module has.
pub(super) fn kernel_name(kernel: &'static Kernel) -> Cow<'static, str> {
    // SAFETY: constant tables.
    let plain = unsafe { slice(kernel.variants, kernel.n_variants) }.last();
    // SAFETY: as above.
    plain.map_or(PLAIN.into(), |plain| unsafe { text(plain.symbol) })
}

/// All names, for a message.
pub(super) fn names(variants: &[Variant]) -> String {
    let all: Vec<String> = (0..variants.len()).map(|at| name(variants, at).into_owned()).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// The name of a kernel's variant, where there is more than one.
pub(super) fn among_several(kernel: &'static Kernel, at: u32) -> Option<String> {
    // SAFETY: a constant table.
    let variants = unsafe { slice(kernel.variants, kernel.n_variants) };
    (variants.len() > 1).then(|| name(variants, at as usize).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn variant(symbol: &'static CStr) -> Variant {
        Variant {
            symbol: symbol.as_ptr(),
            needs: 0,
            block: [1; 3],
            per_thread: [1; 3],
            shared_bytes: 0,
            femtoseconds: 0,
        }
    }

    #[test]
    fn names_are_what_follows_the_last_symbol() {
        let variants = [c"f_3_wide", c"f_3_cache_jam", c"other", c"f_3"].map(variant);
        let all: Vec<_> = (0..variants.len()).map(|at| name(&variants, at)).collect();
        assert_eq!(all, ["wide", "cache_jam", "other", "plain"]);
        assert_eq!(names(&variants[3..]), "plain");
        assert_eq!(names(&[]), "none");
    }
}
