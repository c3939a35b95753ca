//! Arrays of groups, or parts of them, by all cores.
//!
//! A part may begin and end within a group. Its other elements stay what they are, as far as the group's new exponent
//! lets them; elements past the array's last count as zeros.

use super::group::{self, Direct, Elements, LANES, Packed, Real, Steps};
use super::{exponent_bytes, group_bytes};
use crate::compress::StoredFormat;
use crate::compress::codec::parallel::{GRAIN, in_parallel};
use crate::compress::codec::stream;
use std::sync::atomic::{AtomicU64, Ordering};

/// The addresses of a group's elements and exponent; others follow.
#[derive(Clone, Copy)]
pub struct Groups {
    pub elements: usize,
    pub exponents: usize,
}

impl Groups {
    /// The addresses so many groups further on.
    pub fn after(self, stored: &StoredFormat, groups: usize) -> Groups {
        Groups {
            elements: self.elements + groups * group_bytes(stored.bits),
            exponents: self.exponents + groups * exponent_bytes(stored.double),
        }
    }
}

/// A part of the elements of some groups.
#[derive(Clone, Copy)]
pub struct GroupPart {
    pub first: usize,
    pub count: usize,
    /// Elements from the first group on that the array has.
    pub total: usize,
}

/// Encodes a part from `host`; how many values were infinite or no numbers.
///
/// # Safety
/// Both sides are valid, and nothing else uses the groups.
pub unsafe fn encode_all(stored: &StoredFormat, host: *const u8, groups: Groups, part: GroupPart) -> u64 {
    let (outside, host) = (AtomicU64::new(0), host as usize);
    in_parallel(part.first, part.count, &|first, count| {
        let values = host + (first - part.first) * stored.elem_size() * stored.pitch();
        // SAFETY: shares are disjoint, of whole groups but at the part's ends.
        let found = unsafe {
            match stored.double {
                true => encode_share::<f64>(stored, values, groups, GroupPart { first, count, ..part }),
                false => encode_share::<f32>(stored, values, groups, GroupPart { first, count, ..part }),
            }
        };
        outside.fetch_add(found, Ordering::Relaxed);
    });
    outside.into_inner()
}

/// Decodes a part to `host`.
///
/// # Safety
/// Both sides are valid, and nothing else uses `host`.
pub unsafe fn decode_all(stored: &StoredFormat, groups: Groups, host: *mut u8, part: GroupPart) {
    let host = host as usize;
    let large = part.count * stored.elem_size() >= stream::LARGE;
    in_parallel(part.first, part.count, &|first, count| {
        let values = host + (first - part.first) * stored.elem_size() * stored.pitch();
        // SAFETY: shares are disjoint.
        unsafe {
            match stored.double {
                true => decode_share::<f64>(stored, groups, values, (first, count), large),
                false => decode_share::<f32>(stored, groups, values, (first, count), large),
            }
        }
    });
}

unsafe fn encode_share<T: Real>(
    stored: &StoredFormat,
    values: usize,
    groups: Groups,
    part: GroupPart,
) -> u64 {
    let pitch = stored.pitch();
    if pitch == 1 {
        // SAFETY: the caller's promise.
        return unsafe {
            encode_run(stored, std::slice::from_raw_parts(values as *const T, part.count), groups, part)
        };
    }
    // A member of structures: gathered in short runs, which end with groups.
    let (mut buffer, mut outside, mut done) = ([T::ZERO; GRAIN], 0, 0);
    while done < part.count {
        let first = part.first + done;
        let run = &mut buffer[..(GRAIN - first % GRAIN).min(part.count - done)];
        for (i, x) in run.iter_mut().enumerate() {
            // SAFETY: as above.
            *x = unsafe { *(values as *const T).add((done + i) * pitch) };
        }
        // SAFETY: as above.
        outside += unsafe { encode_run(stored, run, groups, GroupPart { first, count: run.len(), ..part }) };
        done += run.len();
    }
    outside
}

/// `large`: past the caches.
unsafe fn decode_share<T: Real>(
    stored: &StoredFormat,
    groups: Groups,
    values: usize,
    (first, count): (usize, usize),
    large: bool,
) {
    let pitch = stored.pitch();
    if pitch == 1 && !large {
        // SAFETY: the caller's promise.
        return unsafe {
            decode_run(stored, groups, first, std::slice::from_raw_parts_mut(values as *mut T, count))
        };
    }
    let (mut buffer, mut done) = ([T::ZERO; GRAIN], 0);
    while done < count {
        let run = &mut buffer[..(GRAIN - (first + done) % GRAIN).min(count - done)];
        // SAFETY: as above.
        unsafe { decode_run(stored, groups, first + done, run) };
        let place = (values as *mut T).wrapping_add(done * pitch);
        match pitch {
            // SAFETY: as above.
            1 => unsafe { stream::copy(run.as_ptr().cast(), place.cast(), size_of_val(run)) },
            _ => {
                for (i, x) in run.iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { *place.add(i * pitch) = *x };
                }
            }
        }
        done += run.len();
    }
    stream::finish();
}

/// What `values` are after they were encoded: a few groups, from the first one's element `first` on.
pub fn through<T: Real>(stored: &StoredFormat, values: &[T], first: usize, back: &mut [T]) {
    const ROOM: usize = GRAIN + LANES;
    let (mut elements, mut exponents) = ([0u64; ROOM], [0u64; ROOM / LANES]);
    let groups =
        Groups { elements: elements.as_mut_ptr() as usize, exponents: exponents.as_mut_ptr() as usize };
    let (first, count) = (first % LANES, values.len().min(GRAIN));
    // SAFETY: room for as many elements of any width, and for their exponents.
    unsafe {
        encode_run(stored, &values[..count], groups, GroupPart { first, count, total: first + count });
        decode_run(stored, groups, first, &mut back[..count]);
    }
}

unsafe fn encode_run<T: Real>(stored: &StoredFormat, values: &[T], groups: Groups, part: GroupPart) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match stored.bits {
            8 => Run::<T, Direct<u8>>::new(stored, groups).encode(values, part),
            16 => Run::<T, Direct<u16>>::new(stored, groups).encode(values, part),
            32 => Run::<T, Direct<u32>>::new(stored, groups).encode(values, part),
            _ => Run::<T, Packed>::new(stored, groups).encode(values, part),
        }
    }
}

unsafe fn decode_run<T: Real>(stored: &StoredFormat, groups: Groups, first: usize, values: &mut [T]) {
    // SAFETY: the caller's promise.
    unsafe {
        match stored.bits {
            8 => Run::<T, Direct<u8>>::new(stored, groups).decode(first, values),
            16 => Run::<T, Direct<u16>>::new(stored, groups).decode(first, values),
            32 => Run::<T, Direct<u32>>::new(stored, groups).decode(first, values),
            _ => Run::<T, Packed>::new(stored, groups).decode(first, values),
        }
    }
}

struct Run<T: Real, E> {
    steps: Steps<T>,
    elements: *mut E,
    exponents: *mut T::Exponent,
}

impl<T: Real, E: Elements> Run<T, E> {
    fn new(stored: &StoredFormat, groups: Groups) -> Self {
        let (elements, exponents) = (groups.elements as *mut E, groups.exponents as *mut T::Exponent);
        Run { steps: Steps::new(stored.bits), elements, exponents }
    }

    /// The elements and exponents of `count` groups from number `group` on.
    unsafe fn groups<'a>(&self, group: usize, count: usize) -> (&'a mut [E], &'a mut [T::Exponent]) {
        let each = E::of_group(self.steps.bits);
        // SAFETY: the caller's promise.
        unsafe {
            (
                std::slice::from_raw_parts_mut(self.elements.add(group * each), count * each),
                std::slice::from_raw_parts_mut(self.exponents.add(group), count),
            )
        }
    }

    unsafe fn encode(&self, values: &[T], part: GroupPart) -> u64 {
        let (head, whole) =
            values.split_at((part.first.next_multiple_of(LANES) - part.first).min(values.len()));
        let (whole, tail) = whole.split_at(whole.len() / LANES * LANES);
        let (group, end) = (part.first.div_ceil(LANES), part.first + head.len() + whole.len());
        // SAFETY: the caller's promise.
        unsafe {
            let mut outside = self.replace(head, part.first, part.total);
            let (elements, exponents) = self.groups(group, whole.len() / LANES);
            outside += group::encode(&self.steps, whole, elements, exponents);
            outside + self.replace(tail, end, part.total)
        }
    }

    /// Encodes the group of element `first` anew, with these values from that element on.
    unsafe fn replace(&self, values: &[T], first: usize, total: usize) -> u64 {
        if values.is_empty() {
            return 0;
        }
        let (start, place) = (first - first % LANES, first % LANES);
        let mut all = [T::ZERO; LANES];
        // SAFETY: the caller's promise.
        let (elements, exponents) = unsafe { self.groups(start / LANES, 1) };
        group::decode(&self.steps, elements, exponents, &mut all);
        all[place..place + values.len()].copy_from_slice(values);
        all[(total - start).min(LANES)..].fill(T::ZERO);
        group::encode(&self.steps, &all, elements, exponents)
    }

    unsafe fn decode(&self, first: usize, values: &mut [T]) {
        let (head, whole) = values.split_at_mut((first.next_multiple_of(LANES) - first).min(values.len()));
        let (whole, tail) = whole.split_at_mut(whole.len() / LANES * LANES);
        // SAFETY: the caller's promise.
        unsafe {
            self.part(first, head);
            let (elements, exponents) = self.groups(first.div_ceil(LANES), whole.len() / LANES);
            group::decode(&self.steps, elements, exponents, whole);
            self.part(first + head.len() + whole.len(), tail);
        }
    }

    /// Elements of one group.
    unsafe fn part(&self, first: usize, values: &mut [T]) {
        if values.is_empty() {
            return;
        }
        let mut all = [T::ZERO; LANES];
        // SAFETY: the caller's promise.
        let (elements, exponents) = unsafe { self.groups(first / LANES, 1) };
        group::decode(&self.steps, elements, exponents, &mut all);
        values.copy_from_slice(&all[first % LANES..][..values.len()]);
    }
}
