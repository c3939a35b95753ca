//! The variant of a launch: the first whose needs hold.

use super::arguments::Range;
use accl_abi::{Variant, arg_flags, needs};

/// The first variant whose needs hold.
pub(super) fn choose(
    variants: &'static [Variant],
    ranges: &[Range],
    (trips, num_gangs, half_full): (&[i64], i64, u64),
    form: Form,
) -> Option<(u32, &'static Variant)> {
    let fits = |variant: &&Variant| {
        let need = |bit| variant.needs & bit != 0;
        need(needs::DECODED) == (form == Form::Decoded)
            && need(needs::WHOLE) == (form == Form::Whole)
            && (!need(needs::NOALIAS) || no_alias(ranges))
            && (!need(needs::ALIGN16) || aligned(ranges))
            && (!need(needs::INT32) || small(ranges, trips, variant))
            && (!need(needs::EVEN) || even(variant, trips))
            && (!need(needs::FEW) || threads(variant, trips) <= half_full / 4)
            && (!need(needs::FILLS) || threads(variant, trips) >= enough(variant, half_full))
            && (!need(needs::GANGS) || num_gangs <= 0 || blocks(variant, trips) <= num_gangs as u64)
            && trips.iter().zip(variant.per_thread).all(|(trips, each)| each <= 1 || !near_wrap(*trips))
    };
    let position = variants.iter().position(|variant| fits(&variant))?;
    Some((position as u32, &variants[position]))
}

/// The variant that needs nothing.
pub(super) fn last(variants: &'static [Variant]) -> (u32, &'static Variant) {
    static PLAIN: Variant =
        Variant { symbol: std::ptr::null(), needs: 0, block: [1; 3], per_thread: [1; 3], shared_bytes: 0 };
    (variants.len().saturating_sub(1) as u32, variants.last().unwrap_or(&PLAIN))
}

/// How a launch's compressed arrays are handed to the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are held, but for block arrays that it writes, which are plain copies.
    Plain,
    /// Those that versions with decoded arrays have plain are plain copies too.
    Decoded,
    /// All as they are held.
    Whole,
}

/// No written array overlaps another argument. An unknown extent may overlap anything.
pub(super) fn no_alias(ranges: &[Range]) -> bool {
    ranges.iter().enumerate().filter(|(_, range)| range.flags & arg_flags::WRITTEN != 0).all(
        |(i, written)| {
            ranges.iter().enumerate().filter(|(j, other)| *j != i && other.flags != 0).all(|(_, other)| {
                written.known && other.known && (written.end <= other.begin || other.end <= written.begin)
            })
        },
    )
}

fn aligned(ranges: &[Range]) -> bool {
    ranges.iter().all(|range| range.flags & arg_flags::VECTOR == 0 || range.base % 16 == 0)
}

/// What a grid has at least in y and z, on any device.
const GRID_YZ: i64 = 65535;

/// Subscripts of type int suffice, and the grid has all blocks in y and z.
fn small(ranges: &[Range], trips: &[i64], variant: &Variant) -> bool {
    let most = i64::from(i32::MAX);
    let each = |d: usize| i64::from(variant.block[d].max(1)) * i64::from(variant.per_thread[d].max(1));
    trips.iter().enumerate().all(|(d, trips)| *trips <= if d == 0 { most } else { GRID_YZ * each(d) })
        && ranges.iter().all(|range| range.known && range.reach <= most as u64)
}

/// Blocks are full.
fn even(variant: &Variant, trips: &[i64]) -> bool {
    let each = |d: usize| i64::from(variant.block[d].max(1)) * i64::from(variant.per_thread[d].max(1));
    trips.iter().enumerate().all(|(d, trips)| trips % each(d) == 0)
}

/// Those that have something to do.
fn threads(variant: &Variant, trips: &[i64]) -> u64 {
    let along = |(trips, each): (&i64, u32)| (*trips.max(&0) as u64).div_ceil(u64::from(each.max(1)));
    trips.iter().zip(variant.per_thread).map(along).fold(1, u64::saturating_mul)
}

/// The grid's, of the blocks that the compiler chose.
fn blocks(variant: &Variant, trips: &[i64]) -> u64 {
    let along = |d: usize| {
        let each = u64::from(variant.block[d].max(1)) * u64::from(variant.per_thread[d].max(1));
        (trips[d].max(0) as u64).div_ceil(each)
    };
    (0..trips.len()).map(along).fold(1, u64::saturating_mul)
}

/// Threads that fill a device: fewer of those that each take a tile of iterations and keep it busy by themselves.
fn enough(variant: &Variant, half_full: u64) -> u64 {
    if variant.needs & needs::BUSY != 0 { half_full / 8 } else { half_full }
}

/// A thread of a coarsened variant runs ahead of the bound by up to a grid's stride; an index of type int would wrap.
fn near_wrap(trips: i64) -> bool {
    let most = i64::from(i32::MAX);
    (most - (1 << 24)..=most).contains(&trips)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(begin: u64, end: u64, flags: u32) -> Range {
        Range { begin, end, flags, base: begin, reach: end - begin, known: true }
    }

    fn variant(needs: u32) -> Variant {
        Variant { symbol: std::ptr::null(), needs, block: [128, 1, 1], per_thread: [1; 3], shared_bytes: 0 }
    }

    #[test]
    fn written_arrays_must_not_overlap() {
        let (read, written) = (arg_flags::READ, arg_flags::WRITTEN);
        assert!(no_alias(&[range(0, 10, written), range(10, 20, read)]));
        assert!(!no_alias(&[range(0, 11, written), range(10, 20, read)]));
        assert!(no_alias(&[range(0, 11, read), range(10, 20, read)]));
        let unknown = Range { known: false, ..range(50, 50, read) };
        assert!(!no_alias(&[range(0, 10, written), unknown]));
    }

    #[test]
    fn the_first_variant_that_fits_is_taken() {
        let variants: &'static [Variant] = Box::leak(Box::new([
            variant(needs::NOALIAS | needs::ALIGN16),
            variant(needs::INT32),
            variant(0),
        ]));
        let trips = [100, 0, 0];
        let aligned = [
            range(0, 16, arg_flags::WRITTEN | arg_flags::VECTOR),
            range(16, 32, arg_flags::READ | arg_flags::VECTOR),
        ];
        assert_eq!(choose(variants, &aligned, (&trips, 0, 0), Form::Plain).map(|v| v.0), Some(0));
        let odd = [range(4, 16, arg_flags::WRITTEN | arg_flags::VECTOR), range(16, 32, arg_flags::READ)];
        assert_eq!(choose(variants, &odd, (&trips, 0, 0), Form::Plain).map(|v| v.0), Some(1));
        assert_eq!(choose(variants, &odd, (&[1 << 40, 0, 0], 0, 0), Form::Plain).map(|v| v.0), Some(2));
        assert_eq!(choose(&[], &odd, (&trips, 0, 0), Form::Plain).map(|v| v.0), None);
    }

    #[test]
    fn variants_for_all_gangs_need_so_many() {
        let variants: &'static [Variant] = Box::leak(Box::new([variant(needs::GANGS), variant(0)]));
        let chosen = |trips: i64, gangs| {
            choose(variants, &[], (&[trips], gangs, 0), Form::Plain).unwrap_or_else(|| last(variants)).0
        };
        assert_eq!([chosen(1000, 0), chosen(1000, 8), chosen(1025, 8)], [0, 0, 1]);
    }
}
