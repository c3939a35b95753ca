//! Arrays of a block whose size the launch decides: tables, and the numbers that a launch gives.
//!
//! A table says of each array of each version how its size is made of BEFORE and AFTER of its dimensions. These are
//! evaluated once a launch, each distinct text of them as one of the launch's reaches.

use crate::data::string;
use accl_ir::{HostExpr, Kernel, LaunchArea, LaunchDim};

/// The kernel has such arrays, on some device.
pub fn has(kernel: &Kernel) -> bool {
    all(kernel).next().is_some()
}

/// Each with the position of its version.
fn all(kernel: &Kernel) -> impl Iterator<Item = (u32, &LaunchArea)> {
    let gpu = kernel.variants.iter().enumerate();
    let gpu = gpu.flat_map(|(at, v)| v.areas().map(move |area| (at as u32, area)));
    gpu.chain(kernel.cpu_areas.iter().map(|area| (accl_abi::ON_CPU, area)))
}

/// What launches give.
fn reaches(kernel: &Kernel) -> Vec<&HostExpr> {
    let mut found: Vec<&HostExpr> = vec![];
    for dim in all(kernel).flat_map(|(_, area)| &area.dims) {
        for end in [&dim.before, &dim.after] {
            if !found.iter().any(|f| f.text == end.text) {
                found.push(end);
            }
        }
    }
    found
}

/// `accl_areas_…` and its dimensions; nothing where the kernel has no such arrays.
pub fn tables(kernel: &Kernel, name: &str) -> String {
    if !has(kernel) {
        return String::new();
    }
    let reaches = reaches(kernel);
    let index = |e: &HostExpr| reaches.iter().position(|r| r.text == e.text).unwrap_or_default();
    let (mut dims, mut rows) = (vec![], vec![]);
    for (version, area) in all(kernel) {
        let dim = |d: &LaunchDim| format!("{{{}, {}, {}}}", d.span, index(&d.before), index(&d.after));
        let own: Vec<String> = area.dims.iter().map(dim).collect();
        let first = dims.windows(own.len()).position(|known| *known == *own).unwrap_or(dims.len());
        if first == dims.len() {
            dims.extend(own);
        }
        let (array, element, n) = (string(&area.array), area.element, area.dims.len());
        rows.push(format!("{{{array}, {version}u, {element}, {n}, &accl_area_dims_{name}[{first}]}}"));
    }
    format!(
        "static const accl_area_dim accl_area_dims_{name}[] = {{{}}};\n\
         static const accl_area accl_areas_{name}[] = {{{}}};\n",
        dims.join(", "),
        rows.join(", ")
    )
}

/// What a launch says of them: lines before, and fields.
pub fn launch(kernel: &Kernel) -> (Option<String>, Vec<(&'static str, String)>) {
    if !has(kernel) {
        return (None, vec![]);
    }
    let values: Vec<String> = reaches(kernel).iter().map(|e| format!("(long)({})", e.text)).collect();
    let line = format!("const long accl_reaches[] = {{{}}};", values.join(", "));
    let fields = vec![
        ("areas", format!("accl_areas_{}", kernel.name)),
        ("n_areas", all(kernel).count().to_string()),
        ("reaches", "accl_reaches".to_owned()),
    ];
    (Some(line), fields)
}
