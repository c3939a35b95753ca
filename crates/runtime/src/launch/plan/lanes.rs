//! How many lanes run an iteration of a gang loop around loops whose lengths only the device knows.
//!
//! A row of such a loop (the edges of a node, the elements of a sparse row) keeps as many lanes busy as it has elements. More
//! are worth their place only where there are too few rows to fill the device.

/// Where rows are worth more lanes than this, a block runs each.
pub const MOST: u32 = 32;
/// What rows are worth as long as nothing is known of their lengths.
const USUAL: u32 = 4;
/// Elements of a lane: with so many, what lanes do together costs little. On an H100 sparse products were fastest with one lane
/// for rows of 3 and 6 elements, 4 for 14 (0.63 ms, and 0.82 with 2) and 20, 8 for 40, 16 and 32 for 100.
const ELEMENTS: f64 = 4.0;
/// A little less than that is better than twice as much.
const ALMOST: f64 = 1.6;
/// Rows of so many elements are worth a block.
const LONG: f64 = 1000.0;

/// A power of two, for a launch with so many rows, of so many elements in the mean where that is known; `resident`: the threads
/// that run at once. More than [`MOST`]: a block for each row.
pub fn wanted(rows: i64, length: Option<f64>, resident: u64) -> u32 {
    let (mut lanes, useful) = match length {
        None => (USUAL, f64::INFINITY),
        Some(length) if length >= LONG => return 2 * MOST,
        Some(length) => (power_of_two(length / ELEMENTS).min(MOST), length),
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

    #[test]
    fn few_rows_have_more_lanes() {
        let lanes = |rows| wanted(rows, None, RESIDENT);
        assert_eq!(
            [lanes(1 << 20), lanes(1 << 13), lanes(1 << 12), lanes(1 << 11), lanes(0)],
            [4, 8, 16, 32, 64]
        );
        assert_eq!(wanted(100, Some(6.0), RESIDENT), 8);
    }

    #[test]
    fn lanes_follow_the_length_of_rows() {
        let lanes = |length| wanted(1 << 20, Some(length), RESIDENT);
        assert_eq!([0.1, 3.0, 6.0, 13.9, 20.0, 40.0, 100.0].map(lanes), [1, 1, 1, 4, 4, 8, 16]);
        assert_eq!([255.0, 400.0, 1999.0].map(lanes), [32, 32, 64]);
    }
}
