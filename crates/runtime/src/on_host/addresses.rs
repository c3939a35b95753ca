//! Addresses that lie in arrays which the host and the device exchange.
//!
//! Pointers that a kernel stored lead to the device's memory, and those that a construct on the host stores to the host's. A word
//! whose value is an address of something present on one side becomes the address of the same place on the other. Attached
//! pointers are not concerned: the present table knows both of their values.

use crate::present::Mapping;
use std::ops::Range;

const WORD: usize = size_of::<usize>();

/// Where everything lies that is present, on both sides.
#[derive(Default)]
pub struct Addresses {
    device: Side,
    host: Side,
}

/// The memory of one side: each stretch with the address where the other side has it, in ascending order.
#[derive(Default)]
struct Side(Vec<(Range<usize>, usize)>);

impl Addresses {
    pub fn of<'a>(mappings: impl Iterator<Item = &'a mut Mapping>) -> Addresses {
        let mut all = Addresses::default();
        for mapping in mappings.filter(|m| m.storage.is_plain() && !m.is_host_memory()) {
            let (host, device, bytes) = (mapping.host, mapping.device as usize, mapping.bytes);
            all.device.0.push((device..device + bytes, host));
            all.host.0.push((host..host + bytes, device));
        }
        all.device.0.sort_by_key(|(range, _)| range.start);
        all.host.0.sort_by_key(|(range, _)| range.start);
        all
    }

    /// The device's contents of the memory at `host`, as the host can use them.
    pub fn for_host(&self, host: usize, device: &[u8]) -> Vec<u8> {
        let mut contents = device.to_vec();
        for at in words(host, contents.len()) {
            self.device.translate(&mut contents[at]);
        }
        contents
    }

    /// The contents of the memory at `host`, as the device can use them. Words that are as they were `given` are the device's own.
    pub fn for_device(&self, host: usize, contents: &mut [u8], given: &[u8], device: &[u8]) {
        for at in words(host, contents.len()) {
            match contents[at.clone()] == given[at.clone()] {
                true => contents[at.clone()].copy_from_slice(&device[at]),
                false => self.host.translate(&mut contents[at]),
            }
        }
    }
}

impl Side {
    fn translate(&self, word: &mut [u8]) {
        let Ok(bytes) = <[u8; WORD]>::try_from(&*word) else { return };
        let address = usize::from_ne_bytes(bytes);
        let before = self.0.partition_point(|(range, _)| range.start <= address);
        if let Some((range, other)) = before.checked_sub(1).and_then(|at| self.0.get(at))
            && range.contains(&address)
        {
            word.copy_from_slice(&(other + (address - range.start)).to_ne_bytes());
        }
    }
}

/// The places of whole words in so many bytes at `host`.
fn words(host: usize, bytes: usize) -> impl Iterator<Item = Range<usize>> {
    let first = host.next_multiple_of(WORD) - host;
    (first..).step_by(WORD).map(|at| at..at + WORD).take_while(move |at| at.end <= bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_the_other_side() {
        let mut mapping = Mapping::new(0x1000, 0x100, 0x9000, std::ptr::null());
        let addresses = Addresses::of(std::iter::once(&mut mapping));
        let bytes = |words: [usize; 4]| words.map(usize::to_ne_bytes).concat();
        let device = bytes([0x9010, 0x8fff, 0x9100, 7]);
        let given = addresses.for_host(0x2000, &device);
        assert_eq!(given, bytes([0x1010, 0x8fff, 0x9100, 7]));
        let mut contents = bytes([0x1010, 0x10ff, 0x1100, 8]);
        addresses.for_device(0x2000, &mut contents, &given, &device);
        assert_eq!(contents, bytes([0x9010, 0x90ff, 0x1100, 8]));
    }

    #[test]
    fn words_lie_at_their_alignment() {
        assert_eq!(words(0x1004, 20).collect::<Vec<_>>(), [4..12, 12..20]);
        assert_eq!(words(0x1000, 7).count(), 0);
    }
}
