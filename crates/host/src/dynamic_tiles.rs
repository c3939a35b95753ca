//! Dynamic tiles: tables, and the numbers that a launch passes for them.
//!
//! For each dynamic tile of each version, a table says how its size is computed from BEFORE and AFTER of its
//! dimensions. These are evaluated once a launch; each distinct text of them is one of the launch's halo extents.

use crate::data::string;
use accl_ir::{DynamicTile, DynamicTileDim, HostExpr, Kernel};

/// The kernel has dynamic tiles, on some device.
pub fn has(kernel: &Kernel) -> bool {
    all(kernel).next().is_some()
}

/// Each tile, with the position of its version.
fn all(kernel: &Kernel) -> impl Iterator<Item = (u32, &DynamicTile)> {
    let gpu = kernel.variants.iter().enumerate();
    let gpu = gpu.flat_map(|(at, v)| v.dynamic_tiles().map(move |tile| (at as u32, tile)));
    gpu.chain(kernel.cpu_dynamic_tiles.iter().map(|tile| (accl_abi::ON_CPU, tile)))
}

/// The halo extents that launches pass.
fn halo_extents(kernel: &Kernel) -> Vec<&HostExpr> {
    let mut found: Vec<&HostExpr> = vec![];
    for dim in all(kernel).flat_map(|(_, tile)| &tile.dims) {
        for end in [&dim.before, &dim.after] {
            if !found.iter().any(|f| f.text == end.text) {
                found.push(end);
            }
        }
    }
    found
}

/// `accl_dynamic_tiles_…` and its dimensions; empty where the kernel has no such arrays.
pub fn tables(kernel: &Kernel, name: &str) -> String {
    if !has(kernel) {
        return String::new();
    }
    let halo_extents = halo_extents(kernel);
    let index = |e: &HostExpr| halo_extents.iter().position(|r| r.text == e.text).unwrap_or_default();
    let (mut dims, mut rows) = (vec![], vec![]);
    for (version, tile) in all(kernel) {
        let dim = |d: &DynamicTileDim| format!("{{{}, {}, {}}}", d.span, index(&d.before), index(&d.after));
        let own: Vec<String> = tile.dims.iter().map(dim).collect();
        let first = dims.windows(own.len()).position(|known| *known == *own).unwrap_or(dims.len());
        if first == dims.len() {
            dims.extend(own);
        }
        let (array, element, n) = (string(&tile.array), tile.element, tile.dims.len());
        rows.push(format!(
            "{{{array}, {version}u, {element}, {n}, &accl_dynamic_tile_dims_{name}[{first}]}}"
        ));
    }
    format!(
        "static const accl_dynamic_tile_dim accl_dynamic_tile_dims_{name}[] = {{{}}};\n\
         static const accl_dynamic_tile accl_dynamic_tiles_{name}[] = {{{}}};\n",
        dims.join(", "),
        rows.join(", ")
    )
}

/// What a launch passes for them: lines before the call, and fields.
pub fn launch(kernel: &Kernel) -> (Option<String>, Vec<(&'static str, String)>) {
    if !has(kernel) {
        return (None, vec![]);
    }
    let values: Vec<String> = halo_extents(kernel).iter().map(|e| format!("(long)({})", e.text)).collect();
    let line = format!("const long accl_halo_extents[] = {{{}}};", values.join(", "));
    let fields = vec![
        ("dynamic_tiles", format!("accl_dynamic_tiles_{}", kernel.name)),
        ("n_dynamic_tiles", all(kernel).count().to_string()),
        ("halo_extents", "accl_halo_extents".to_owned()),
    ];
    (Some(line), fields)
}
