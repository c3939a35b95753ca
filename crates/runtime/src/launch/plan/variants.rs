//! The variant of a launch: the first whose needs hold.
//!
//! Some needs are what a variant cannot do without, others say where it pays: only those count for a variant that the user
//! names ([`super::named`]).

use super::splits;
use crate::launch::prepare::no_alias;
use crate::storage::arguments::ArgumentRange;
use crate::storage::launch::Form;
use accl_abi::{CLUSTER, Variant, arg_flags, needs};

/// Variants to choose from, best first, and what of the launch the choice follows from beside its arrays.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'a> {
    pub variants: &'static [Variant],
    /// The position of the first of them among the kernel's.
    pub first: u32,
    pub trips: &'a [i64],
    pub num_gangs: i64,
    /// Threads that fill half of the device; none where a variant need not pay.
    pub half_full: Option<u64>,
    pub lanes: Lanes,
    /// How long the loops inside an iteration are, where the host knows it; else 0.
    pub row_length: i64,
    /// Warps of the device multiply matrices of doubles.
    pub tensor_f64: bool,
    /// Its blocks aggregate atomic updates in shared memory, and combine results that others have stored: it is a CUDA device.
    pub cuda: bool,
    /// It has clusters of blocks.
    pub clusters: bool,
    /// Bytes of shared memory that a block of a CUDA device has; 0 on others.
    pub block_shared: u64,
}

/// Lanes for an iteration of a gang loop.
#[derive(Clone, Copy, Default)]
pub(super) struct Lanes {
    /// See [`super::lanes::wanted`].
    pub wanted: u32,
    /// The device runs several workers in a warp, each with its lanes.
    pub can_be_few: bool,
}

impl Lanes {
    /// A variant whose rows have few lanes, or one, is worth it.
    fn pays(self, variant: &Variant) -> bool {
        let need = |bit| variant.needs & bit != 0;
        match self.can_be_few {
            true if need(needs::FEW_LANES) => (2..=super::lanes::MOST).contains(&self.wanted),
            true => !need(needs::ONE_LANE) || self.wanted == 1 || need(needs::HIGH_OCCUPANCY),
            false if need(needs::HIGH_OCCUPANCY) => true,
            // There a block for each row is the alternative.
            false => {
                !need(needs::FEW_LANES) && (!need(needs::ONE_LANE) || self.wanted <= super::lanes::MOST / 4)
            }
        }
    }
}

/// With shorter lines the cache has those of many threads.
const LONG_LINE: i64 = 64;

/// A block takes longer for such a row than a cluster does to start.
const LONG_ROW: i64 = 1 << 17;

/// Half of the threads that a multiprocessor runs at once.
const HALF_FULL: u64 = 1024;

impl Candidates<'_> {
    /// The first whose needs hold, with its position among the kernel's.
    pub fn choose(&self, ranges: &[ArgumentRange], form: Form) -> Option<(u32, &'static Variant)> {
        let fits = |variant: &Variant| {
            let need = |bit| variant.needs & bit != 0;
            need(needs::DECODED) == (form == Form::Decoded)
                && need(needs::WHOLE_GROUPS) == (form == Form::WholeGroups)
                && (self.half_full.is_none() || !need(needs::NAMED))
                && self.unmet(variant, ranges).is_none()
                && self
                    .half_full
                    .is_none_or(|half_full| pays(variant, self.trips, half_full) && self.lanes.pays(variant))
                && (self.half_full.is_none() || !need(needs::LONG_LINES) || self.row_length >= LONG_LINE)
                && (!need(needs::CLUSTERS | needs::FEW_GANGS) || self.has_few_gangs())
                && (!need(needs::SPLITS) || self.half_full.is_none() || splits::are_long(self.row_length))
        };
        let at = self.variants.iter().position(fits)?;
        Some((self.first + at as u32, &self.variants[at]))
    }

    /// Each block of the gangs' clusters has a multiprocessor for itself. More of them take longer to start than short loops do: on an
    /// H100 64 clusters for loops of 200 iterations took 8.8 µs, 16 took 4.9 and one 4.6. Where the loops are long, fewer gangs than
    /// multiprocessors are reason enough.
    fn has_few_gangs(&self) -> bool {
        let blocks = if self.row_length >= LONG_ROW { 1 } else { u64::from(CLUSTER) };
        let gangs = super::shape::gangs(self.trips, self.num_gangs);
        self.half_full.is_none_or(|half| gangs.saturating_mul(blocks * HALF_FULL) <= half)
    }

    /// What the variant cannot do without and the launch does not have. In which form encoded arrays are handed to it is another
    /// matter ([`Form`]).
    #[inline]
    pub(super) fn unmet(&self, variant: &Variant, ranges: &[ArgumentRange]) -> Option<&'static str> {
        let (trips, num_gangs) = (self.trips, self.num_gangs);
        let need = |bit| variant.needs & bit != 0;
        if need(needs::TENSOR_F64) && !self.tensor_f64 {
            return Some("the device has no tensor units for doubles");
        }
        if need(needs::CLUSTERS) && !self.clusters {
            return Some("the device has no clusters of blocks");
        }
        if need(needs::LARGE_SHARED) && self.block_shared < u64::from(variant.shared_bytes).max(1) {
            return Some("its rows do not fit into a block's shared memory");
        }
        if need(needs::AGGREGATES) && !self.cuda {
            return Some("blocks of the device do not aggregate atomic updates");
        }
        if need(needs::SPLITS) && !self.cuda {
            return Some("blocks of the device do not share reductions");
        }
        if need(needs::NOALIAS) && !no_alias(ranges) {
            return Some("an array that the kernel writes overlaps another, or may");
        }
        if need(needs::ALIGN16) && !aligned(ranges) {
            return Some("an array does not begin at a multiple of 16 bytes");
        }
        if need(needs::GRID_COVERS) && !grid_covers(trips, variant) {
            return Some("the grid cannot have all its blocks");
        }
        if need(needs::INT32) && !fits_index32(ranges, trips, variant) {
            return Some(
                "subscripts of type int, or the grid's blocks, do not suffice for its arrays and trip counts",
            );
        }
        if need(needs::FULL_BLOCKS) && !fills_blocks(variant, trips) {
            return Some("the trip counts are not multiples of a block's iterations");
        }
        if need(needs::GANGS_COVER) && num_gangs > 0 && blocks(variant, trips) > num_gangs as u64 {
            return Some("it would take more gangs than num_gangs");
        }
        let wraps =
            trips.iter().zip(variant.per_thread).any(|(trips, each)| each > 1 && may_overflow(*trips));
        wraps.then_some(
            "a trip count is so close to the largest int that a thread's several iterations would pass it",
        )
    }

    /// The variant that needs nothing.
    pub fn last(&self) -> (u32, &'static Variant) {
        static PLAIN: Variant = Variant {
            symbol: std::ptr::null(),
            needs: 0,
            block: [1; 3],
            per_thread: [1; 3],
            shared_bytes: 0,
            femtoseconds: 0,
        };
        let at = self.variants.len().saturating_sub(1) as u32;
        (self.first + at, self.variants.last().unwrap_or(&PLAIN))
    }
}

/// The launch is as large, or as small, as the variant was made for.
fn pays(variant: &Variant, trips: &[i64], half_full: u64) -> bool {
    let need = |bit| variant.needs & bit != 0;
    let few_in_x = || trips.first().is_some_and(|n| *n <= 2 * i64::from(variant.block[0]));
    (!need(needs::FEW_IN_X) || few_in_x())
        && (!need(needs::LOW_OCCUPANCY) || threads(variant, trips) <= half_full / 4)
        && (!need(needs::HIGH_OCCUPANCY) || threads(variant, trips) >= threads_that_fill(variant, half_full))
}

fn aligned(ranges: &[ArgumentRange]) -> bool {
    ranges.iter().all(|range| range.flags & arg_flags::VECTOR == 0 || range.base % 16 == 0)
}

/// The blocks that a grid may have at least in y and z, on any device.
const GRID_YZ: i64 = 65535;

/// Subscripts of type int suffice, and the grid has all blocks in y and z.
fn fits_index32(ranges: &[ArgumentRange], trips: &[i64], variant: &Variant) -> bool {
    let most = i64::from(i32::MAX);
    trips.first().is_none_or(|trips| *trips <= most)
        && grid_covers(trips, variant)
        && ranges.iter().all(|range| range.known && range.reach <= most as u64)
}

/// The grid has all blocks in y and z.
fn grid_covers(trips: &[i64], variant: &Variant) -> bool {
    let each = |d: usize| i64::from(variant.block[d].max(1)) * i64::from(variant.per_thread[d].max(1));
    trips.iter().enumerate().skip(1).all(|(d, trips)| *trips <= GRID_YZ * each(d))
}

/// Blocks are full.
fn fills_blocks(variant: &Variant, trips: &[i64]) -> bool {
    let each = |d: usize| i64::from(variant.block[d].max(1)) * i64::from(variant.per_thread[d].max(1));
    trips.iter().enumerate().all(|(d, trips)| trips % each(d) == 0)
}

/// The threads that have something to do.
fn threads(variant: &Variant, trips: &[i64]) -> u64 {
    if variant.needs & needs::ONE_LANE != 0 {
        return trips.first().map_or(1, |rows| (*rows).max(0) as u64);
    }
    let along = |(trips, each): (&i64, u32)| (*trips.max(&0) as u64).div_ceil(u64::from(each.max(1)));
    trips.iter().zip(variant.per_thread).map(along).fold(1, u64::saturating_mul)
}

/// The blocks of the grid, if they are of the size that the compiler chose.
fn blocks(variant: &Variant, trips: &[i64]) -> u64 {
    let along = |d: usize| {
        let each = u64::from(variant.block[d].max(1)) * u64::from(variant.per_thread[d].max(1));
        (trips[d].max(0) as u64).div_ceil(each)
    };
    (0..trips.len()).map(along).fold(1, u64::saturating_mul)
}

/// Threads that fill a device: fewer of those that each take a tile of iterations and keep it busy by themselves.
fn threads_that_fill(variant: &Variant, half_full: u64) -> u64 {
    if variant.needs & needs::ILP != 0 { half_full / 8 } else { half_full }
}

/// A thread of a coarsened variant runs ahead of the bound by up to a grid's stride; an index of type int would wrap.
fn may_overflow(trips: i64) -> bool {
    let most = i64::from(i32::MAX);
    (most - (1 << 24)..=most).contains(&trips)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(begin: u64, end: u64, flags: u32) -> ArgumentRange {
        ArgumentRange { begin, end, flags, base: begin, reach: end - begin, known: true }
    }

    fn variant(needs: u32) -> Variant {
        Variant {
            symbol: std::ptr::null(),
            needs,
            block: [128, 1, 1],
            per_thread: [1; 3],
            shared_bytes: 0,
            femtoseconds: 0,
        }
    }

    /// Of variants with these needs, for so many iterations.
    fn candidates<'a>(needs: &[u32], trips: &'a [i64]) -> Candidates<'a> {
        let variants: &'static [Variant] =
            needs.iter().map(|needs| variant(*needs)).collect::<Vec<_>>().leak();
        Candidates {
            variants,
            first: 0,
            trips,
            num_gangs: 0,
            half_full: Some(0),
            lanes: Lanes::default(),
            tensor_f64: false,
            cuda: false,
            row_length: 0,
            clusters: false,
            block_shared: 0,
        }
    }

    /// The position of the variant that is chosen.
    fn chosen(candidates: Candidates, ranges: &[ArgumentRange]) -> Option<u32> {
        candidates.choose(ranges, Form::Stored).map(|(at, _)| at)
    }

    #[test]
    fn written_arrays_must_not_overlap() {
        let (read, written) = (arg_flags::READ, arg_flags::WRITTEN);
        assert!(no_alias(&[range(0, 10, written), range(10, 20, read)]));
        assert!(!no_alias(&[range(0, 11, written), range(10, 20, read)]));
        assert!(no_alias(&[range(0, 11, read), range(10, 20, read)]));
        let unknown = ArgumentRange { known: false, ..range(50, 50, read) };
        assert!(!no_alias(&[range(0, 10, written), unknown]));
    }

    #[test]
    fn the_first_variant_that_fits_is_taken() {
        let needs = [needs::NOALIAS | needs::ALIGN16, needs::INT32, 0];
        let usual = candidates(&needs, &[100, 0, 0]);
        let aligned = [
            range(0, 16, arg_flags::WRITTEN | arg_flags::VECTOR),
            range(16, 32, arg_flags::READ | arg_flags::VECTOR),
        ];
        assert_eq!(chosen(usual, &aligned), Some(0));
        let misaligned =
            [range(4, 16, arg_flags::WRITTEN | arg_flags::VECTOR), range(16, 32, arg_flags::READ)];
        assert_eq!(chosen(usual, &misaligned), Some(1));
        assert_eq!(chosen(Candidates { trips: &[1 << 40, 0, 0], ..usual }, &misaligned), Some(2));
        assert_eq!(chosen(candidates(&[], &[100, 0, 0]), &misaligned), None);
    }

    #[test]
    fn variants_for_all_gangs_need_so_many() {
        let taken = |trips: i64, num_gangs| {
            let trips = [trips];
            let candidates = Candidates { num_gangs, ..candidates(&[needs::GANGS_COVER, 0], &trips) };
            candidates.choose(&[], Form::Stored).unwrap_or_else(|| candidates.last()).0
        };
        assert_eq!([taken(1000, 0), taken(1000, 8), taken(1025, 8)], [0, 0, 1]);
    }

    #[test]
    fn variants_without_strides_need_all_blocks_in_y() {
        let taken = |y: i64| chosen(candidates(&[needs::GRID_COVERS, 0], &[1 << 40, y]), &[]);
        let rows = candidates(&[0], &[1]).variants[0].block[1].max(1);
        assert_eq!(taken(65535 * i64::from(rows)), Some(0));
        assert_eq!(taken(65536 * i64::from(rows)), Some(1));
    }

    #[test]
    fn a_named_variant_need_not_pay_but_must_be_right() {
        let named = Candidates { first: 3, ..candidates(&[needs::NOALIAS | needs::HIGH_OCCUPANCY], &[1000]) };
        let overlapping = [range(0, 11, arg_flags::WRITTEN), range(10, 20, arg_flags::READ)];
        assert_eq!(chosen(Candidates { half_full: Some(1 << 20), ..named }, &[]), None);
        assert_eq!(chosen(Candidates { half_full: None, ..named }, &[]), Some(3));
        assert_eq!(chosen(Candidates { half_full: None, ..named }, &overlapping), None);
    }
}
