//! The errors of programs whose data is not on the device, or only in part (OpenACC 3.3 section 2.7).

use crate::call::CallContext;
use crate::error::{codes, fatal_coded};
use crate::location::Name;
use crate::present::{Mapping, PresentTable};
use crate::variable::{directive_line, first, name, section};
use accl_abi::{Var, data_flags, data_kind};

/// The section of a mapping in the words of its creator.
fn describe(mapping: &Mapping) -> String {
    let name = Name(mapping.name);
    format!(
        "name={name} host={:#x}..{:#x} bytes={} device={:#x} structured={} dynamic={}",
        mapping.host,
        mapping.end(),
        mapping.bytes,
        mapping.device,
        mapping.structured,
        mapping.dynamic
    )
}

fn nearest(table: &PresentTable, host: usize) -> String {
    match table.nearest(host) {
        None => "nothing is present on the device".to_owned(),
        Some(mapping) => {
            let distance = if host < mapping.host {
                format!("{} bytes after it", mapping.host - host)
            } else {
                format!("{} bytes before it", host - mapping.host)
            };
            format!("nearest mapping: {} (begins {distance})", describe(mapping))
        }
    }
}

/// Reports that data is not present.
pub fn absent(call: &CallContext, var: &Var, table: &PresentTable) -> ! {
    let clause = match var.kind {
        data_kind::UPDATE_SELF | data_kind::UPDATE_DEVICE => "UPDATE",
        data_kind::USE_DEVICE => "USE_DEVICE",
        _ => "PRESENT",
    };
    let info = call.state.device.info();
    let host = first(var);
    let message = format!(
        "data in {clause} clause was not found on device {}: name={} host={host:#x} bytes={}",
        info.number,
        name(var),
        var.bytes
    );
    let mut notes = Vec::new();
    notes.extend(used_at(call, var));
    // Of a pointer nobody told how much it points to.
    let wanted = if var.bytes == 0 { format!("{}[0:n]", name(var)) } else { section(var) };
    let of_n = if var.bytes == 0 { ", n the number of its elements" } else { "" };
    let removed = table.last_removed(host, var.bytes);
    notes.push(match removed {
        Some(removed) => format!("this memory was present until {}", removed.location.describe(removed.line)),
        None => nearest(table, host),
    });
    notes.push(if var.kind == data_kind::PRESENT {
        format!(
            "help: add copy({wanted}) to this directive, or make {} present before it: \
             #pragma acc enter data copyin({wanted}){of_n}",
            name(var)
        )
    } else {
        format!(
            "help: make {} present before this directive: #pragma acc enter data copyin({wanted}){of_n}",
            name(var)
        )
    });
    fatal_coded(codes::NOT_PRESENT, call.location, directive_line(var), &message, &notes)
}

fn used_at(call: &CallContext, var: &Var) -> Option<String> {
    let elsewhere = var.flags & data_flags::IMPLICIT != 0 && var.line > 0;
    elsewhere.then(|| format!("{}:{}: used here, without a data clause", call.location.file(), var.line))
}

/// Reports that only a part of the data is present.
pub fn partial(call: &CallContext, var: &Var, table: &PresentTable, start: usize) -> ! {
    let host = first(var);
    let message = format!(
        "variable in data clause is partially present on device {}: name={} host={host:#x}..{:#x} bytes={}",
        call.state.device.info().number,
        name(var),
        host + var.bytes,
        var.bytes
    );
    let mut notes: Vec<String> = used_at(call, var).into_iter().collect();
    notes.extend(table.get(start).map(|mapping| format!("present: {}", describe(mapping))));
    notes.push(format!(
        "help: a section must be wholly inside what is present or wholly outside; make the first data \
         clause for {} cover {}",
        name(var),
        section(var)
    ));
    fatal_coded(codes::PARTLY_PRESENT, call.location, directive_line(var), &message, &notes)
}
