//! What a clause asks for against what is there.

use super::{Stored, shares, words};
use crate::data::{Task, first, name};
use crate::error::{codes, fatal_coded};
use crate::present::Mapping;
use crate::site::Name;
use accl_abi::{Format, Var, arg_flags, data_kind, layout};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Compressed arrays that are present anywhere; where there are none, nothing needs to be looked up.
pub static PRESENT: AtomicUsize = AtomicUsize::new(0);

/// The format that a clause or a construct names.
pub fn format(var: &Var) -> Option<&Format> {
    // SAFETY: null, or the caller's, alive for the call.
    unsafe { var.format.as_ref() }
}

/// How a new array is to be held. Its range is the clause's, or that of the values to be copied in.
pub fn stored(task: &Task, var: &Var, format: &Format) -> Stored {
    let copied = matches!(var.kind, data_kind::COPY | data_kind::COPYIN);
    let range = if !super::is_ranged(format.scheme) {
        (0.0, 0.0)
    } else if format.has_range != 0 {
        (format.min, format.max)
    } else if copied {
        shares::find_range(format.type_ == accl_abi::scalar_type::F64, first(var), var.bytes)
    } else {
        let message = format!("name={} is compressed, but nothing tells its range", name(var));
        bad_range(task, var, &message)
    };
    if !(range.0.is_finite() && range.1.is_finite() && range.0 <= range.1) {
        let message = format!("the range of name={} is {} to {}", name(var), range.0, range.1);
        bad_range(task, var, &message);
    }
    PRESENT.fetch_add(1, Ordering::Relaxed);
    Stored::new(format, range, var.bytes, task.place, var.line)
}

fn bad_range(task: &Task, var: &Var, message: &str) -> ! {
    let help = "help: give finite numbers, the smaller first: a[start:length:min:max]".to_owned();
    fatal_coded(codes::BAD_RANGE, task.place, var.line, message, &[help])
}

/// Refuses a kernel that was compiled for another format than the array's.
pub fn argument(task: &Task, var: &Var, flags: u32, mapping: &Mapping) {
    let compiled = format(var);
    match (compiled, &mapping.stored) {
        (None, None) => {}
        (Some(compiled), Some(stored)) if stored.is(compiled) => {
            if flags & arg_flags::WRITTEN != 0 && !stored.has_range {
                let message =
                    format!("name={} is written here, but its range was found in the data", name(var));
                let notes = [
                    format!("compressed by: {}", stored.place.describe(stored.line)),
                    "help: give the range in that clause: a[start:length:min:max]".to_owned(),
                ];
                fatal_coded(codes::BAD_RANGE, task.place, var.line, &message, &notes);
            }
        }
        _ => other_format(task, var, compiled, mapping),
    }
}

fn other_format(task: &Task, var: &Var, compiled: Option<&Format>, mapping: &Mapping) -> ! {
    let name = name(var);
    let compiled = compiled.map_or("plain".to_owned(), |f| {
        let aos = if f.members > 1 && f.layout == layout::AOS { ", aos" } else { "" };
        format!("compressed ({}{aos})", words(f.scheme, f.bits))
    });
    let held = mapping.stored.map_or("plain".to_owned(), |s| format!("compressed ({})", s.words()));
    let message = format!("name={name} is held {held}, but the construct was compiled for {compiled} data");
    let mut notes = vec![];
    if let Some(stored) = &mapping.stored {
        notes.push(format!("compressed by: {}", stored.place.describe(stored.line)));
        notes.push(format!(
            "help: add `compression({name})` to the construct, with the modifiers of that clause"
        ));
    } else {
        notes.push(format!(
            "help: put {name} on the device by a compressed clause, as ccopyin, or drop `compression`"
        ));
    }
    fatal_coded(codes::OTHER_FORMAT, task.place, var.line, &message, &notes)
}

/// An address of a compressed array is asked for.
pub fn refuse_address(task: &Task, line: i32, what: &str, stored: &Stored) -> ! {
    let message = format!("{what} is compressed on the device, so it has no address there");
    let notes = [format!("compressed by: {}", stored.place.describe(stored.line))];
    fatal_coded(codes::COMPRESSED_ADDRESS, task.place, line, &message, &notes)
}

/// A kernel would follow a pointer in the device's `var` to a compressed array, and take its bits for numbers.
pub fn refuse_followed(task: &Task, var: &Var, mapping: &Mapping) -> ! {
    let (holder, array) = (name(var), Name(mapping.name));
    let held = mapping.stored.map_or("plain".to_owned(), |stored| stored.words());
    let message = format!(
        "the kernel follows a pointer of name={holder} on the device to name={array}, which is held compressed ({held})"
    );
    let mut notes: Vec<String> = vec![];
    notes.extend(mapping.stored.map(|s| format!("compressed by: {}", s.place.describe(s.line))));
    notes.push(
        "help: take the pointer on the host, in a variable of its own, and name that in `compression` and in the \
         kernel; or hold the array plain"
            .to_owned(),
    );
    fatal_coded(codes::COMPRESSED_FOLLOWED, task.place, var.line, &message, &notes)
}
