//! An encoded array as an argument of a kernel.

use super::StoredFormat;
use crate::device::Argument;
use crate::present::Mapping;
use crate::storage::arguments::{ArgumentRange, ArrayArgument, inside_of, section};
use crate::variable::first;
use accl_abi::Var;

/// The argument for a variable inside a mapping that is encoded; `plane`: the member that the kernel uses.
pub fn argument(
    mapping: &Mapping,
    stored: &StoredFormat,
    var: &Var,
    flags: u32,
    plane: usize,
) -> ArrayArgument {
    let (base, element) = mapping.locate(var.base as usize);
    let inside = mapping.translate(first(var));
    // Elements in the middle of a group are not aligned, whatever the address.
    let unaligned = u64::from(stored.place_in_group(element) != 0);
    let (base, inside, range) = match stored.plane {
        0 => (base, inside_of(mapping, inside), section(mapping, var, flags, base | unaligned, inside)),
        _ => {
            let start = stored.plane_start(plane);
            let (base, begin, reach) = (base + start, inside + start, stored.plane_start(1));
            let end = begin + reach;
            (base, begin, ArgumentRange { begin, end, flags, base: base | unaligned, reach, known: true })
        }
    };
    ArrayArgument { argument: Argument::Data { base, inside }, range, host_pitch: Some(stored.pitch()) }
}
