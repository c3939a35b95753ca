//! Atomic updates by compare-and-swap, for GPU languages. A type narrower than a word is updated by swapping the
//! whole word.

use super::helper::Combine;
use super::scalar::Scalar;
use super::spaces::AddrSpace;
use super::sync::extremum_name;
use super::unit::DeviceSource;

/// What a language calls the operations.
pub trait Swap {
    /// The unsigned integer type of 4 or 8 bytes that the swap works on.
    fn word(&self, bytes: u32) -> &'static str;
    fn qualifier(&self) -> &'static str;
    /// Qualifier of the pointee, with a space after it.
    fn space(&self, space: AddrSpace) -> &'static str;
    /// `swap(pointer, expected, desired)` returns the value before.
    fn swap(&self, bytes: u32) -> &'static str;
    fn bits_to_value(&self, ty: Scalar, bits: &str) -> String;
    fn value_to_bits(&self, ty: Scalar, value: &str) -> String;
}

/// `by`: the operand's type, in which the update is computed.
pub fn helper(
    swap: &dyn Swap,
    op: Combine,
    (ty, by): (Scalar, Scalar),
    space: AddrSpace,
    name: &str,
    unit: &DeviceSource,
) -> String {
    let updated = updated(op, (ty, by), unit);
    let head = |t: &str| {
        let (qualifier, space) = (swap.qualifier(), swap.space(space));
        format!("{qualifier}{t} {name}({space}{t} *place, {})", parameters(op, (ty, by), unit))
    };
    if ty.bytes() < 4 {
        narrow(swap, ty, space, &head, unit, &updated)
    } else {
        whole(swap, ty, space, &head, unit, &updated)
    }
}

/// The value behind the operation on `old` and `value`.
pub fn updated(op: Combine, (ty, by): (Scalar, Scalar), unit: &DeviceSource) -> String {
    let updated = op.apply("old", "value", by, &|fun| extremum_name(unit, fun, by));
    // Logical operators give an int, and another type is converted back.
    let converted = by != ty || matches!(op, Combine::LogicalAnd | Combine::LogicalOr);
    if converted { format!("({})({updated})", unit.scalar(ty)) } else { updated }
}

/// As [`helper`], of what no other thread has access to.
pub fn of_own(
    swap: &dyn Swap,
    op: Combine,
    (ty, by): (Scalar, Scalar),
    name: &str,
    unit: &DeviceSource,
) -> String {
    let (t, qualifier, space) = (unit.scalar(ty), swap.qualifier(), swap.space(AddrSpace::Private));
    let (parameters, updated) = (parameters(op, (ty, by), unit), updated(op, (ty, by), unit));
    format!(
        "\
/* Updates *place, which is the thread's own; gives the value before. */
{qualifier}{t} {name}({space}{t} *place, {parameters})
{{
    const {t} old = *place;
    *place = {updated};
    return old;
}}
"
    )
}

/// A helper's parameters behind the place.
pub fn parameters(op: Combine, (ty, by): (Scalar, Scalar), unit: &DeviceSource) -> String {
    match op {
        Combine::Replace => format!("{} expected, {} value", unit.scalar(by), unit.scalar(ty)),
        _ => format!("{} value", unit.scalar(by)),
    }
}

/// The first line of a helper, given the place's type.
type Head<'h> = dyn Fn(&str) -> String + 'h;

fn whole(
    swap: &dyn Swap,
    ty: Scalar,
    space: AddrSpace,
    head: &Head,
    unit: &DeviceSource,
    updated: &str,
) -> String {
    let (t, word, space) = (unit.scalar(ty), swap.word(ty.bytes()), swap.space(space));
    let head = head(t);
    let (old, new) = (swap.bits_to_value(ty, "seen"), swap.value_to_bits(ty, updated));
    let (cas, result) = (swap.swap(ty.bytes()), swap.bits_to_value(ty, "before"));
    format!(
        "\
/* Updates *place; gives the value before. */
{head}
{{
    volatile {space}{word} *bits = (volatile {space}{word} *)place;
    {word} before = *bits, seen;
    do {{
        seen = before;
        const {t} old = {old};
        before = {cas}(({space}{word} *)bits, seen, {new});
    }} while (before != seen);
    return {result};
}}
"
    )
}

fn narrow(
    swap: &dyn Swap,
    ty: Scalar,
    space: AddrSpace,
    head: &Head,
    unit: &DeviceSource,
    updated: &str,
) -> String {
    let (t, word, space) = (unit.scalar(ty), swap.word(4), swap.space(space));
    let raw = unit.scalar(ty.unsigned());
    let mask = if ty.bytes() == 1 { "0xffu" } else { "0xffffu" };
    let wide = unit.scalar(Scalar::U64);
    let (head, cas) = (head(t), swap.swap(4));
    format!(
        "\
/* Updates *place by swapping the 32-bit word around it; gives the value before. */
{head}
{{
    volatile {space}{word} *bits = (volatile {space}{word} *)(({wide})place & ~3ul);
    const {word} shift = ({word})(({wide})place & 3) * 8;
    {word} before = *bits, seen;
    {t} old;
    do {{
        seen = before;
        old = ({t})(seen >> shift & {mask});
        const {t} updated = {updated};
        before = {cas}(({space}{word} *)bits, seen, (seen & ~({mask} << shift)) | ({word})({raw})updated << shift);
    }} while (before != seen);
    return old;
}}
"
    )
}
