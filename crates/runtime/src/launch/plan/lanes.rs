//! How many lanes run an iteration of a gang loop around loops whose lengths only the device knows.
//!
//! A row of such a loop (the edges of a node, the elements of a sparse row) keeps as many lanes busy as it has elements. More
//! are worth their place only where there are too few rows to fill the device.

use crate::row_lengths::RowLength;
use accl_abi::{Variant, needs};

/// Where rows are worth more lanes than this, a block runs each.
pub const MOST: u32 = 32;
/// What rows are worth as long as nothing is known of their lengths.
const USUAL: u32 = 4;
/// Elements of a lane: with so many, what lanes do together costs little. On an H100 sparse products were fastest with one lane
/// for rows of 3 and 6 elements, 4 for 14 (0.63 ms, and 0.82 with 2) and 20, 8 for 40, 16 and 32 for 100.
const ELEMENTS: f64 = 4.0;
/// The same where a row has several loops, which go through what lies in the cache then: that lanes read side by side is worth
/// less, and each loop costs what its lanes do together. On an H200 the nearest of five clusters for a million points of 34 floats
/// took 0.25 ms with 4 lanes and 0.32 with 8.
const ELEMENTS_OF_SEVERAL: f64 = 8.0;
/// Loops from which they are several.
const SEVERAL: f64 = 4.0;
/// A little less than that is better than twice as much.
const ALMOST: f64 = 1.6;
/// Rows of so many elements are worth a block.
const LONG: f64 = 1000.0;

/// How many loops a row of the kernel with these variants has, as far as its program tells.
pub fn loops(variants: &[Variant]) -> f64 {
    let several = variants.iter().any(|variant| variant.needs & needs::SEVERAL_LOOPS != 0);
    if several { SEVERAL } else { 1.0 }
}

/// A power of two, for a launch with so many rows, of such a length where that is known; `resident`: the threads
/// that run at once. More than [`MOST`]: a block for each row.
pub fn wanted(rows: i64, length: Option<RowLength>, resident: u64) -> u32 {
    let (mut lanes, useful) = match length {
        None => (USUAL, f64::INFINITY),
        Some(RowLength { mean, .. }) if mean >= LONG => return 2 * MOST,
        Some(RowLength { mean, loops }) => {
            let elements = if loops >= SEVERAL { ELEMENTS_OF_SEVERAL } else { ELEMENTS };
            (power_of_two(mean / elements).min(MOST), mean)
        }
    };
    let rows = rows.max(1) as u64;
    while lanes <= MOST && f64::from(lanes) < useful && rows * u64::from(lanes) < resident / 4 {
        lanes *= 2;
    }
    lanes
}

/// The largest that is not above `x`, or the next one where `x` is almost that; at least 1.
fn power_of_two(x: f64) -> u32 {
    let below = 1 << (x.max(1.0) as u32).ilog2();
    if x >= ALMOST * f64::from(below) { 2 * below } else { below }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESIDENT: u64 = 1 << 18;

    fn row(mean: f64, loops: f64) -> Option<RowLength> {
        Some(RowLength { mean, loops })
    }

    #[test]
    fn few_rows_have_more_lanes() {
        let lanes = |rows| wanted(rows, None, RESIDENT);
        assert_eq!(
            [lanes(1 << 20), lanes(1 << 13), lanes(1 << 12), lanes(1 << 11), lanes(0)],
            [4, 8, 16, 32, 64]
        );
        assert_eq!(wanted(100, row(6.0, 1.0), RESIDENT), 8);
    }

    #[test]
    fn lanes_follow_the_length_of_rows() {
        let lanes = |mean| wanted(1 << 20, row(mean, 1.0), RESIDENT);
        assert_eq!([0.1, 3.0, 6.0, 13.9, 20.0, 40.0, 100.0].map(lanes), [1, 1, 1, 4, 4, 8, 16]);
        assert_eq!([255.0, 400.0, 1999.0].map(lanes), [32, 32, 64]);
    }

    #[test]
    fn rows_with_several_loops_have_fewer_lanes() {
        let lanes = |loops| wanted(1 << 20, row(34.0, loops), RESIDENT);
        assert_eq!([1.0, 2.0, 6.0].map(lanes), [8, 8, 4]);
    }
}
