//! Launches whose blocks share the long loops of few iterations ([`needs::SPLITS`](accl_abi::needs::SPLITS)): iterations are in x, and
//! parts of their loops in y.

/// Turns of the loop for each thread, below which more blocks are not worth their partial results.
const TURNS: i64 = 4;
/// Turns of the loop of a row for each thread, below which fewer threads do.
const TURNS_OF_ROWS: i64 = 32;
/// Shorter loops end before threads have combined anything. On an H100 sums of 1,000 columns of 64 floats took 3.8 µs with a thread each and
/// 5.1 with blocks for parts of them, of 300 columns of 300 floats 8.9 and 4.9.
const LONG: i64 = 256;

/// Loops of so many turns are worth it; 0 where only the device knows how many.
pub fn are_long(turns: i64) -> bool {
    turns >= LONG
}

/// The threads of a block, which is `block` where there is enough to do. No more are in x than there are iterations, but at least 8, which
/// read a sector of memory. Fewer than 8 in x are for rows, whose sectors are read by threads in y.
pub fn block(block: [u32; 3], iterations: i64, turns: i64) -> [u32; 3] {
    let [mut x, mut y, z] = block;
    while x > 8 && i64::from(x / 2) >= iterations {
        (x, y) = (x / 2, y * 2);
    }
    while x < 8 && y > 32 && turns > 0 && turns < i64::from(y) * TURNS_OF_ROWS {
        y /= 2;
    }
    [x, y, z]
}

/// The blocks that run at once, `resident`, or fewer where their threads would have less to do.
pub fn grid(block: [u32; 3], iterations: i64, turns: i64, resident: u32, most: [u32; 3]) -> [u32; 3] {
    let x = iterations.max(1).unsigned_abs().div_ceil(u64::from(block[0])).min(u64::from(most[0])) as u32;
    let worth = match turns {
        0 => i64::MAX,
        turns => turns / (i64::from(block[1]) * TURNS),
    };
    let y = i64::from(resident / x).min(worth).clamp(1, i64::from(most[1])) as u32;
    [x, y, 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: [u32; 3] = [u32::MAX >> 1, 65535, 65535];

    #[test]
    fn few_iterations_have_more_threads_each() {
        let of = |iterations| block([32, 16, 1], iterations, 1 << 20);
        assert_eq!([of(0), of(8), of(9)], [[8, 64, 1], [8, 64, 1], [16, 32, 1]]);
        assert_eq!([of(16), of(17), of(1 << 40)], [[16, 32, 1], [32, 16, 1], [32, 16, 1]]);
    }

    #[test]
    fn short_rows_have_fewer_threads() {
        let of = |turns| block([4, 128, 1], 1, turns)[1];
        assert_eq!([of(0), of(1 << 20), of(4096), of(4095), of(2047), of(256)], [128, 128, 128, 64, 32, 32]);
    }

    #[test]
    fn blocks_fill_the_device_as_far_as_loops_are_long() {
        let of = |iterations, turns| grid([32, 16, 1], iterations, turns, 528, MOST);
        assert_eq!([of(32, 1 << 20), of(4096, 4096), of(1, 1000)], [[1, 528, 1], [128, 4, 1], [1, 15, 1]]);
        assert_eq!([of(0, 0), of(1 << 20, 1 << 20)], [[1, 528, 1], [1 << 15, 1, 1]]);
    }
}
