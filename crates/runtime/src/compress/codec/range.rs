//! The range of an array's values, found in the data.
//!
//! Infinities and NaN are passed over: they saturate, or count as 0. The search works on the bits, whose order as
//! integers is that of the numbers, so that it vectorises.

/// Smallest and largest finite value; (0, 0) where there is none.
pub fn of_floats(values: &[f32]) -> (f64, f64) {
    let (low, high) = search(values, |x| {
        let bits = x.to_bits() as i32;
        (bits ^ ((bits >> 31) & i32::MAX), bits & i32::MAX < 0x7f80_0000)
    });
    let back = |key: i32| f64::from(f32::from_bits((key ^ ((key >> 31) & i32::MAX)) as u32));
    if low > high { (0.0, 0.0) } else { (back(low), back(high)) }
}

/// What [`of_floats`] does, for double.
pub fn of_doubles(values: &[f64]) -> (f64, f64) {
    let (low, high) = search(values, |x| {
        let bits = x.to_bits() as i64;
        (bits ^ ((bits >> 63) & i64::MAX), bits & i64::MAX < 0x7ff0_0000_0000_0000)
    });
    let back = |key: i64| f64::from_bits((key ^ ((key >> 63) & i64::MAX)) as u64);
    if low > high { (0.0, 0.0) } else { (back(low), back(high)) }
}

trait Order: Copy + Ord {
    const LEAST: Self;
    const MOST: Self;
}
impl Order for i32 {
    const LEAST: i32 = i32::MIN;
    const MOST: i32 = i32::MAX;
}
impl Order for i64 {
    const LEAST: i64 = i64::MIN;
    const MOST: i64 = i64::MAX;
}

/// Least and greatest of the keys; `key` also says whether a value counts.
#[inline(always)]
fn search_loop<T: Copy, K: Order>(values: &[T], key: impl Fn(T) -> (K, bool)) -> (K, K) {
    let (mut low, mut high) = (K::MOST, K::LEAST);
    for value in values {
        let (key, counts) = key(*value);
        low = low.min(if counts { key } else { K::MOST });
        high = high.max(if counts { key } else { K::LEAST });
    }
    (low, high)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn search_fast<T: Copy, K: Order>(values: &[T], key: impl Fn(T) -> (K, bool)) -> (K, K) {
    search_loop(values, key)
}

fn search<T: Copy, K: Order>(values: &[T], key: impl Fn(T) -> (K, bool)) -> (K, K) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function asks for.
        return unsafe { search_fast(values, key) };
    }
    search_loop(values, key)
}
