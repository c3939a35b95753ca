//! What a launch may write, saved on the device and put back before each run of it.
//!
//! That is the whole of each mapping in which an argument that the kernel writes lies, the variables of its reductions, and all that
//! is present where the kernel follows pointers in memory.

use crate::call::CallContext;
use crate::device::ReductionTarget;
use crate::error::Result;
use crate::launch::prepare::Prepared;
use crate::reduction;
use crate::storage::arguments::ArgumentRange;
use accl_abi::{Kernel, LaunchInfo, arg_flags, scalar_type, slice};

/// Elements, for a comparison with a tolerance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    F32,
    F64,
    Other,
}

/// A stretch of device memory.
struct SavedArray {
    address: u64,
    bytes: usize,
    elements: Elements,
    /// Where the device keeps what was there.
    copy: u64,
}

/// A variable of the host that a launch reduces into.
struct SavedVariable {
    address: *mut u8,
    value: Vec<u8>,
    elements: Elements,
}

pub struct SavedArrays<'a> {
    call: &'a CallContext,
    arrays: Vec<SavedArray>,
    variables: Vec<SavedVariable>,
}

/// What arrays and variables held after a run.
pub struct Contents(Vec<Vec<u8>>);

impl SavedArrays<'_> {
    /// Copies everything that the launch may write.
    ///
    /// # Safety
    /// `info` and all it points to are as `accl_abi.h` says; the device is idle.
    pub unsafe fn save<'a>(
        call: &'a CallContext,
        info: &LaunchInfo,
        prepared: &Prepared,
    ) -> std::result::Result<SavedArrays<'a>, String> {
        // SAFETY: constant tables of the program.
        let kernel: &'static Kernel = unsafe { &*info.kernel };
        // SAFETY: as above.
        let reductions = unsafe { slice(kernel.reductions, kernel.n_reductions) };
        let mut stretches = vec![];
        for range in prepared.ranges.iter().filter(|range| range.flags & arg_flags::WRITTEN != 0) {
            stretches.extend(stretch(call, range)?);
        }
        let mut saved = SavedArrays { call, arrays: vec![], variables: vec![] };
        for (target, reduction) in prepared.given.targets.iter().zip(reductions) {
            let (bytes, elements) = (reduction::size(*reduction), elements_of(reduction.type_));
            match target {
                ReductionTarget::Device(address) => stretches.push((*address, bytes, elements)),
                ReductionTarget::Host(variable) => {
                    let address = variable.cast::<u8>();
                    // SAFETY: a reduction's variable has its type's bytes.
                    let value = unsafe { std::slice::from_raw_parts(address, bytes) }.to_vec();
                    saved.variables.push(SavedVariable { address, value, elements });
                }
            }
        }
        if kernel.n_indirect_pointers > 0 {
            let mut table = call.state.table();
            stretches.extend(table.mappings().map(|m| (m.device, m.device_bytes(), Elements::Other)));
        }
        for (address, bytes, elements) in distinct(stretches) {
            saved.add(address, bytes, elements).map_err(|error| format!("no copy can be made: {error}"))?;
        }
        Ok(saved)
    }

    fn add(&mut self, address: u64, bytes: usize, elements: Elements) -> Result<()> {
        let (device, queue) = (&*self.call.state.device, self.call.queue.id);
        let copy = device.allocate(bytes)?;
        self.arrays.push(SavedArray { address, bytes, elements, copy });
        // SAFETY: both are allocations of so many bytes.
        unsafe { device.copy(queue, copy, address, bytes)? };
        device.finish(queue)
    }

    pub fn bytes(&self) -> usize {
        self.arrays.iter().map(|array| array.bytes).sum()
    }

    /// Puts everything back.
    pub fn restore(&self) -> Result<()> {
        let (device, queue) = (&*self.call.state.device, self.call.queue.id);
        for SavedArray { address, bytes, copy, .. } in &self.arrays {
            // SAFETY: both are allocations of so many bytes.
            unsafe { device.copy(queue, *address, *copy, *bytes)? };
        }
        for variable in &self.variables {
            // SAFETY: the variable has so many bytes, and the device is idle or has not begun.
            unsafe {
                variable.address.copy_from_nonoverlapping(variable.value.as_ptr(), variable.value.len())
            };
        }
        Ok(())
    }

    /// What everything holds now.
    pub fn contents(&self) -> Result<Contents> {
        let arrays = self.arrays.iter().map(|array| self.download(array));
        let variables = self.variables.iter().map(|variable| Ok(variable.now()));
        Ok(Contents(arrays.chain(variables).collect::<Result<_>>()?))
    }

    fn download(&self, array: &SavedArray) -> Result<Vec<u8>> {
        let (device, queue) = (&*self.call.state.device, self.call.queue.id);
        let mut bytes = vec![0; array.bytes];
        // SAFETY: the vector has so many bytes, and stays until the queue is finished.
        unsafe { device.download(queue, array.address, bytes.as_mut_ptr(), array.bytes)? };
        device.finish(queue)?;
        Ok(bytes)
    }

    /// Where what everything holds now differs from what it held, by more than the tolerance.
    pub fn difference(&self, wanted: &Contents, tolerance: f64) -> Result<Option<String>> {
        let mut all = wanted.0.iter();
        for (array, wanted) in self.arrays.iter().zip(&mut all) {
            let found = self.download(array)?;
            if let Some(at) = first_difference(wanted, &found, array.elements, tolerance) {
                return Ok(Some(format!("byte {at} of an array of {}", array.bytes)));
            }
        }
        for (variable, wanted) in self.variables.iter().zip(all) {
            if first_difference(wanted, &variable.now(), variable.elements, tolerance).is_some() {
                return Ok(Some("the result of a reduction".to_owned()));
            }
        }
        Ok(None)
    }
}

impl Drop for SavedArrays<'_> {
    fn drop(&mut self) {
        let (device, queue) = (&*self.call.state.device, self.call.queue.id);
        let _ = device.finish(queue);
        for array in &self.arrays {
            // SAFETY: allocated in `add`; the queue is finished.
            let _ = unsafe { device.release(array.copy, array.bytes) };
        }
    }
}

impl SavedVariable {
    fn now(&self) -> Vec<u8> {
        // SAFETY: a reduction's variable has its type's bytes, and the device is idle.
        unsafe { std::slice::from_raw_parts(self.address, self.value.len()) }.to_vec()
    }
}

fn elements_of(code: u32) -> Elements {
    match code {
        scalar_type::F32 => Elements::F32,
        scalar_type::F64 => Elements::F64,
        _ => Elements::Other,
    }
}

/// The memory that an argument may be written in: the mapping around it, or as much as is known.
fn stretch(
    call: &CallContext,
    range: &ArgumentRange,
) -> std::result::Result<Option<(u64, usize, Elements)>, String> {
    if range.base == 0 && range.begin == range.end {
        return Ok(None);
    }
    let elements = match range.flags & (arg_flags::F32 | arg_flags::F64) {
        arg_flags::F32 => Elements::F32,
        arg_flags::F64 => Elements::F64,
        _ => Elements::Other,
    };
    let mut table = call.state.table();
    let holds = |begin: u64, bytes: usize| (begin..begin + bytes as u64).contains(&range.begin);
    let found = table.mappings().find(|m| holds(m.device, m.device_bytes()));
    match found {
        Some(mapping) => Ok(Some((mapping.device, mapping.device_bytes(), elements))),
        None if range.known && range.end > range.begin => {
            Ok(Some((range.begin, (range.end - range.begin) as usize, elements)))
        }
        None => Err("how much of an array it writes is not known".to_owned()),
    }
}

/// Each stretch once; where two have memory in common, one around both, whose elements are known where both agree.
fn distinct(mut all: Vec<(u64, usize, Elements)>) -> Vec<(u64, usize, Elements)> {
    all.sort_by_key(|(address, bytes, _)| (*address, std::cmp::Reverse(*bytes)));
    let mut kept: Vec<(u64, usize, Elements)> = vec![];
    for (address, bytes, elements) in all.into_iter().filter(|(_, bytes, _)| *bytes > 0) {
        match kept.last_mut() {
            Some((begin, length, of)) if address < *begin + *length as u64 => {
                *length = (*length).max((address - *begin) as usize + bytes);
                if *of != elements {
                    *of = Elements::Other;
                }
            }
            _ => kept.push((address, bytes, elements)),
        }
    }
    kept
}

/// The first byte of the first element that differs.
fn first_difference(wanted: &[u8], found: &[u8], elements: Elements, tolerance: f64) -> Option<usize> {
    if wanted == found {
        return None;
    }
    let size = match elements {
        Elements::F32 if tolerance > 0.0 => 4,
        Elements::F64 if tolerance > 0.0 => 8,
        _ => return wanted.iter().zip(found).position(|(a, b)| a != b),
    };
    let pairs = wanted.chunks(size).zip(found.chunks(size));
    let at = pairs.into_iter().position(|(a, b)| a != b && !is_near(a, b, tolerance))?;
    Some(at * size)
}

fn is_near(a: &[u8], b: &[u8], tolerance: f64) -> bool {
    let number = |bytes: &[u8]| match bytes.len() {
        4 => bytes.try_into().map_or(f64::NAN, |bytes| f64::from(f32::from_ne_bytes(bytes))),
        _ => bytes.try_into().map_or(f64::NAN, f64::from_ne_bytes),
    };
    let (a, b) = (number(a), number(b));
    (a - b).abs() <= tolerance * a.abs().max(b.abs()) || a.is_nan() && b.is_nan()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_touch_the_same_memory_are_one() {
        let (f, o) = (Elements::F32, Elements::Other);
        assert!(distinct(vec![(100, 10, f), (100, 20, f), (120, 5, o)]) == [(100, 20, f), (120, 5, o)]);
        assert!(distinct(vec![(100, 10, f), (105, 20, o), (3, 0, f)]) == [(100, 25, o)]);
    }

    #[test]
    fn only_floating_point_elements_may_differ() {
        let bytes = |all: [f32; 2]| all.map(f32::to_ne_bytes).concat();
        let (a, b) = (bytes([1.0, 2.0]), bytes([1.0, 2.00001]));
        assert_eq!(first_difference(&a, &b, Elements::F32, 1e-4), None);
        assert_eq!(first_difference(&a, &b, Elements::F32, 1e-9), Some(4));
        assert!(first_difference(&a, &b, Elements::F32, 0.0).is_some());
        assert!(first_difference(&a, &b, Elements::Other, 1e-4).is_some());
        assert_eq!(
            first_difference(&bytes([1.0, f32::NAN]), &bytes([1.0, 2.0]), Elements::F32, 1.0),
            Some(4)
        );
    }
}
