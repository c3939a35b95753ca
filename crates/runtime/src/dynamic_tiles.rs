//! Dynamic shared memory: the tiles that a block keeps of arrays, whose size only the launch knows (`fcw`, `cache`).
//!
//! The compiler says of each tile (`accl_dynamic_tile`) how its size is made of the launch's halo extents, the BEFORE and AFTER of its
//! windows. A launch whose tiles do not fit into a block's shared memory ends the program; but `cache` is a hint, and kernels
//! have versions without it, which need no such memory.
//!
//! Invariant: a tile that [`DynamicTiles::bytes`] lets pass has at least one element, and its pieces begin at most
//! `i32::MAX` elements from their pivots, so that kernels compute sizes and subscripts of it in int.

use crate::call::CallContext;
use crate::device::Kind;
use accl_abi::{DynamicTile, Kernel, LaunchInfo, ON_CPU, Variant, kernel_flags, needs, slice, text};

/// The shared tiles of a launch; most have none.
pub struct DynamicTiles<'a> {
    list: &'a [DynamicTile],
    halo_extents: *const i64,
    /// Bytes of shared memory that a block may have.
    capacity: u64,
    cpu: bool,
}

/// Why a tile can have no size.
enum Wrong<'a> {
    /// Its iterations have so many elements before and after their pivots.
    Empty(&'a DynamicTile, i64, i64),
    TooLarge {
        bytes: u64,
    },
}

impl<'a> DynamicTiles<'a> {
    /// `None`: the kernel has none.
    ///
    /// # Safety
    /// `info` and all it points to are as `accl_abi.h` says.
    pub unsafe fn of(call: &CallContext, kernel: &Kernel, info: &LaunchInfo) -> Option<DynamicTiles<'a>> {
        if kernel.flags & kernel_flags::DYNAMIC_TILES == 0 {
            return None;
        }
        // SAFETY: the flag says that they are there.
        let list = unsafe { slice(info.dynamic_tiles, info.n_dynamic_tiles) };
        let device = &*call.state.device;
        let cpu = device.info().kind == Kind::Cpu;
        Some(DynamicTiles {
            list,
            halo_extents: info.halo_extents,
            capacity: device.limits().block_memory,
            cpu,
        })
    }

    /// How many variants, from the first on, need shared memory that a block does not have.
    pub fn variants_that_do_not_fit(&self, kernel: &Kernel, variants: &[Variant]) -> usize {
        let needing = variants.iter().take_while(|v| v.needs & needs::FITS_SHARED != 0).count();
        let fits = |(at, v): (usize, &Variant)| self.fit(kernel, at, v);
        match self.cpu || variants[..needing].iter().enumerate().all(fits) {
            true => 0,
            false => needing,
        }
    }

    /// True where the tiles of the variant at this position fit into a block's shared memory.
    pub fn fit(&self, kernel: &Kernel, position: usize, variant: &Variant) -> bool {
        self.checked(kernel, position as u32, variant).is_ok()
    }

    /// The variant as this launch has it: `shared_bytes` is what its tiles take. The program ends where a block has less.
    pub fn sized(&self, call: &CallContext, kernel: &Kernel, position: u32, variant: &Variant) -> Variant {
        let version = if self.cpu { ON_CPU } else { position };
        match self.checked(kernel, version, variant) {
            Ok(bytes) => Variant { shared_bytes: bytes as u32, ..*variant },
            Err(wrong) => self.refuse(call, kernel, version, variant, &wrong),
        }
    }

    fn checked(&self, kernel: &Kernel, version: u32, variant: &Variant) -> Result<u64, Wrong<'a>> {
        let bytes = self.bytes(version, false)?;
        match bytes <= self.available(kernel, variant) {
            true => Ok(bytes),
            false => Err(Wrong::TooLarge { bytes }),
        }
    }

    /// What a block has for tiles beside its other shared arrays: reductions take a number of each thread.
    fn available(&self, kernel: &Kernel, variant: &Variant) -> u64 {
        let reductions = u64::from(kernel.n_reductions) * threads(variant) * 8;
        self.capacity.saturating_sub(u64::from(variant.shared_bytes)).saturating_sub(reductions)
    }

    /// All tiles of a version together; `alone`: for a block of one iteration.
    fn bytes(&self, version: u32, alone: bool) -> Result<u64, Wrong<'a>> {
        let mut all = 0u64;
        for tile in self.list.iter().filter(|tile| tile.variant == version) {
            let mut bytes = u64::from(tile.elem_size);
            // SAFETY: a constant table.
            for dim in unsafe { slice(tile.dims, tile.n_dims) } {
                let (before, after) = (self.halo_extent(dim.before), self.halo_extent(dim.after));
                let width = before.saturating_add(after).saturating_add(1);
                let fits_index32 = [before, after].into_iter().all(|n| i32::try_from(n).is_ok());
                if width < 1 {
                    return Err(Wrong::Empty(tile, before, after));
                }
                let span = if alone { 0 } else { dim.span - 1 };
                let extent = if fits_index32 { (width as u64).saturating_add(span) } else { u64::MAX };
                bytes = bytes.saturating_mul(extent);
            }
            all = all.saturating_add(bytes.saturating_add(15) / 16 * 16);
        }
        Ok(all)
    }

    fn halo_extent(&self, index: u32) -> i64 {
        // SAFETY: tables and launches come from the same kernel, so there are as many.
        unsafe { *self.halo_extents.add(index as usize) }
    }

    fn refuse(
        &self,
        call: &CallContext,
        kernel: &Kernel,
        version: u32,
        variant: &Variant,
        wrong: &Wrong,
    ) -> ! {
        match wrong {
            Wrong::Empty(tile, before, after) => {
                // SAFETY: a name of the program's.
                let name = unsafe { text(tile.array) };
                let message = format!(
                    "the window of {name} holds no element: {before} before its pivot, {after} after it"
                );
                call.fatal(0, &message, &[])
            }
            Wrong::TooLarge { bytes } => {
                let available = self.available(kernel, variant);
                let [x, y, z] = variant.block;
                let block = match (y, z) {
                    (1, 1) => x.to_string(),
                    (_, 1) => format!("{x} by {y}"),
                    _ => format!("{x} by {y} by {z}"),
                };
                let names = self.names(version);
                let message = format!(
                    "the windows of {names} take {bytes} bytes of shared memory for a block of {block} iterations; \
                     a block has {available}"
                );
                let alone = self.bytes(version, true).unwrap_or(u64::MAX);
                call.fatal(0, &message, &[help(*bytes, alone, available, variant)])
            }
        }
    }

    fn names(&self, version: u32) -> String {
        // SAFETY: names of the program's.
        let names = self.list.iter().filter(|a| a.variant == version).map(|a| unsafe { text(a.array) });
        let mut names: Vec<_> = names.collect();
        names.dedup();
        names.join(", ")
    }
}

/// The halo extents that all tiles of a launch are made of; nothing where the kernel has none.
///
/// # Safety
/// `info` and all it points to are as `accl_abi.h` says.
pub unsafe fn halo_extents(kernel: &Kernel, info: &LaunchInfo) -> impl Iterator<Item = i64> {
    let count = if kernel.flags & kernel_flags::DYNAMIC_TILES != 0 { info.n_dynamic_tiles } else { 0 };
    // SAFETY: the flag says that they are there, with constant tables of their dimensions and the halo extents that these name.
    let dims = unsafe { slice(info.dynamic_tiles, count) }
        .iter()
        .flat_map(|tile| unsafe { slice(tile.dims, tile.n_dims) });
    // SAFETY: as above.
    dims.flat_map(|dim| unsafe {
        [*info.halo_extents.add(dim.before as usize), *info.halo_extents.add(dim.after as usize)]
    })
}

fn threads(variant: &Variant) -> u64 {
    variant.block.iter().map(|n| u64::from(*n)).product()
}

/// The largest power of two of iterations in one dimension whose tiles fit. `alone`: bytes for a block of one.
fn help(bytes: u64, alone: u64, available: u64, variant: &Variant) -> String {
    let others = threads(variant).saturating_sub(1);
    if others == 0 || alone > available {
        return "help: name fewer elements: BEFORE and AFTER alone are too many".to_owned();
    }
    if variant.block[1] * variant.block[2] > 1 {
        return "help: give smaller vector clauses, or name fewer elements".to_owned();
    }
    let each = bytes.saturating_sub(alone).div_ceil(others).max(1);
    let most = ((available - alone) / each + 1).min(threads(variant));
    format!("help: vector({}) would fit", 1u64 << most.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use accl_abi::DynamicTileDim;

    const NO_VARIANT: Variant = Variant {
        symbol: std::ptr::null(),
        needs: 0,
        block: [128, 1, 1],
        per_thread: [1; 3],
        shared_bytes: 0,
        femtoseconds: 0,
    };

    #[test]
    fn tiles_are_rounded_to_16_bytes_and_must_hold_an_element() {
        let dims = [
            DynamicTileDim { span: 128, before: 0, after: 1 },
            DynamicTileDim { span: 1, before: 2, after: 2 },
        ];
        let tile = |variant, elem_size, n_dims| DynamicTile {
            array: c"a".as_ptr(),
            variant,
            elem_size,
            n_dims,
            dims: dims.as_ptr(),
        };
        let list = [tile(0, 4, 2), tile(0, 1, 1), tile(1, 8, 1)];
        let bytes = |halo_extents: [i64; 3], version, alone| {
            let tiles =
                DynamicTiles { list: &list, halo_extents: halo_extents.as_ptr(), capacity: 0, cpu: false };
            tiles.bytes(version, alone).ok()
        };
        assert_eq!(bytes([1, 2, 0], 0, false), Some(131 * 4 + 4 + 144), "131 floats and marks");
        assert_eq!(bytes([1, 2, 3], 0, false), Some(131 * 7 * 4 + 12 + 144));
        assert_eq!(bytes([1, 2, 0], 0, true), Some(16 + 16));
        assert_eq!(bytes([0, 0, 0], 1, false), Some(1024));
        assert_eq!(bytes([0, -1, 0], 1, false), None);
        assert_eq!(bytes([-3, 3, 0], 1, true), Some(16), "one element, three past the pivot");
        assert_eq!(bytes([1 << 40, -(1 << 40), 0], 1, false), Some(u64::MAX / 16 * 16));
    }

    #[test]
    fn help_names_a_vector_that_fits() {
        assert_eq!(help(2048, 1040, 1500, &NO_VARIANT), "help: vector(32) would fit");
        assert!(help(4096, 3000, 2000, &NO_VARIANT).contains("name fewer"));
        let square = Variant { block: [16, 16, 1], ..NO_VARIANT };
        assert!(help(4096, 1000, 2000, &square).contains("smaller vector clauses"));
    }
}
