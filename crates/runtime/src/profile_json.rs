//! The times of `ACCL_TIME=FILE.json`, for programs that read them (`accl tune`).
//!
//! ```text
//! {"devices": [{"kind": "OpenCL", "number": 0, "name": "...", "architecture": "...", "units": 2, "accelerator": false, "rows": [
//!   {"file": "a.c", "line": 12, "function": "main", "work": "kernel", "name": "parallel loop",
//!    "count": 10, "seconds": 0.02, "least": 0.001, "most": 0.003, "bytes": 0, "predicted": 0.001,
//!    "variants": {"wide": {"count": 10, "seconds": 0.02, "least": 0.001, "most": 0.003, "bytes": 0, "predicted": 0.001}},
//!    "kernels": {"main_12": {"count": 10, …, "variants": {…}}}}]}]}
//! ```

use crate::log;
use crate::profile::{RowKey, Total, Totals};
use crate::state::DeviceState;
use crate::trace::quote;
use std::path::Path;

/// Writes the times of these devices. A file that cannot be written is told, and no more: the program has ended well.
pub fn write(file: &Path, states: &[&DeviceState]) {
    let devices: Vec<String> = states.iter().map(|state| device(state)).collect();
    let text = format!("{{\"devices\": [{}]}}\n", devices.join(","));
    if let Err(why) = std::fs::write(file, text) {
        log::warning(&format!("the times cannot be written to '{}': {why}", file.display()));
    }
}

fn device(state: &DeviceState) -> String {
    let info = state.device.info();
    let mut rows = vec![];
    state.profile.for_each_row(|key, totals| rows.push(row(key, totals)));
    let (kind, name) = (quote(info.kind.name()), quote(&info.name));
    let (number, units) = (info.number, info.compute_units);
    let (accelerator, architecture) = (info.is_accelerator, quote(&info.architecture));
    format!(
        r#"{{"kind": {kind}, "number": {number}, "name": {name}, "architecture": {architecture}, "units": {units}, "accelerator": {accelerator}, "rows": [{}]}}"#,
        rows.join(",")
    )
}

fn row((file, line, function, work, name): &RowKey, totals: &Totals) -> String {
    let of_kernel = |(kernel, totals): (&String, &Totals)| format!("{}: {{{}}}", quote(kernel), sums(totals));
    let kernels: Vec<String> = totals.by_kernel.iter().map(of_kernel).collect();
    format!(
        "\n{{\"file\": {}, \"line\": {line}, \"function\": {}, \"work\": {}, \"name\": {}, {}, \"kernels\": {{{}}}}}",
        quote(file),
        quote(function),
        quote(work.name()),
        quote(name),
        sums(totals),
        kernels.join(", ")
    )
}

fn sums(totals: &Totals) -> String {
    let of_variant =
        |(variant, total): (&String, &Total)| format!("{}: {{{}}}", quote(variant), numbers(total));
    let variants: Vec<String> = totals.by_variant.iter().map(of_variant).collect();
    format!("{}, \"variants\": {{{}}}", numbers(&totals.all), variants.join(", "))
}

fn numbers(total: &Total) -> String {
    let Total { count, seconds, least, most, bytes, predicted } = total;
    format!(
        "\"count\": {count}, \"seconds\": {seconds:e}, \"least\": {least:e}, \"most\": {most:e}, \"bytes\": {bytes}, \"predicted\": {predicted:e}"
    )
}
