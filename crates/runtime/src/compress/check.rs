//! What a clause asks for against what is there.

use super::codec::parallel;
use super::{StoredFormat, words};
use crate::call::CallContext;
use crate::error::{codes, fatal_coded};
use crate::location::Name;
use crate::present::Mapping;
use crate::variable::{first, format, name};
use accl_abi::{Format, Var, arg_flags, data_kind, layout};

/// How a new array is to be encoded. Its range is the clause's, or that of the values to be copied in.
pub fn requested(call: &CallContext, var: &Var, format: &Format) -> StoredFormat {
    let copied = matches!(var.kind, data_kind::COPY | data_kind::COPYIN);
    let range = if !super::is_ranged(format.scheme) {
        (0.0, 0.0)
    } else if format.has_range != 0 {
        (format.min, format.max)
    } else if copied {
        parallel::find_range(format.type_ == accl_abi::scalar_type::F64, first(var), var.bytes)
    } else {
        let message = format!("name={} is compressed, but nothing tells its range", name(var));
        bad_range(call, var, &message)
    };
    if !(range.0.is_finite() && range.1.is_finite() && range.0 <= range.1) {
        let message = format!("the range of name={} is {} to {}", name(var), range.0, range.1);
        bad_range(call, var, &message);
    }
    StoredFormat::new(format, range, var.bytes, call.location, var.line)
}

fn bad_range(call: &CallContext, var: &Var, message: &str) -> ! {
    let help = "help: give finite numbers, the smaller first: a[start:length:min:max]".to_owned();
    fatal_coded(codes::BAD_RANGE, call.location, var.line, message, &[help])
}

/// Refuses a kernel that was compiled for another format than the array's.
pub fn argument(call: &CallContext, var: &Var, flags: u32, mapping: &Mapping) {
    let compiled = format(var);
    match (compiled, stored(mapping)) {
        (None, None) => {}
        (Some(compiled), Some(stored)) if stored.is(compiled) => {
            if flags & arg_flags::WRITTEN != 0 && !stored.has_range {
                let message =
                    format!("name={} is written here, but its range was found in the data", name(var));
                let notes = [
                    format!("compressed by: {}", stored.location.describe(stored.line)),
                    "help: give the range in that clause: a[start:length:min:max]".to_owned(),
                ];
                fatal_coded(codes::BAD_RANGE, call.location, var.line, &message, &notes);
            }
        }
        _ => other_format(call, var, compiled, mapping),
    }
}

fn stored(mapping: &Mapping) -> Option<&StoredFormat> {
    mapping.storage.encoded().map(|array| &array.stored)
}

fn other_format(call: &CallContext, var: &Var, compiled: Option<&Format>, mapping: &Mapping) -> ! {
    let name = name(var);
    let compiled = compiled.map_or("plain".to_owned(), |f| {
        let aos = if f.members > 1 && f.layout == layout::AOS { ", aos" } else { "" };
        format!("compressed ({}{aos})", words(f.scheme, f.bits))
    });
    let held = stored(mapping).map_or("plain".to_owned(), |s| format!("compressed ({})", s.words()));
    let message = format!("name={name} is held {held}, but the construct was compiled for {compiled} data");
    let mut notes = vec![];
    if let Some(stored) = stored(mapping) {
        notes.push(format!("compressed by: {}", stored.location.describe(stored.line)));
        notes.push(format!(
            "help: add `compression({name})` to the construct, with the modifiers of that clause"
        ));
    } else {
        notes.push(format!(
            "help: put {name} on the device by a compressed clause, as ccopyin, or drop `compression`"
        ));
    }
    fatal_coded(codes::OTHER_FORMAT, call.location, var.line, &message, &notes)
}

/// An address of a compressed array is asked for.
pub fn refuse_address(call: &CallContext, line: i32, what: &str, stored: &StoredFormat) -> ! {
    let message = format!("{what} is compressed on the device, so it has no address there");
    let notes = [format!("compressed by: {}", stored.location.describe(stored.line))];
    fatal_coded(codes::COMPRESSED_ADDRESS, call.location, line, &message, &notes)
}

/// A kernel would load a pointer in the device's `var` that leads to a compressed array, and take its bits for numbers.
pub fn refuse_indirect(call: &CallContext, var: &Var, mapping: &Mapping) -> ! {
    let (holder, array) = (name(var), Name(mapping.name));
    let held = stored(mapping).map_or("plain".to_owned(), |stored| stored.words());
    let message = format!(
        "the kernel follows a pointer of name={holder} on the device to name={array}, which is held compressed ({held})"
    );
    let mut notes: Vec<String> = vec![];
    notes.extend(stored(mapping).map(|s| format!("compressed by: {}", s.location.describe(s.line))));
    notes.push(
        "help: take the pointer on the host, in a variable of its own, and name that in `compression` and in the \
         kernel; or hold the array plain"
            .to_owned(),
    );
    fatal_coded(codes::COMPRESSED_INDIRECT, call.location, var.line, &message, &notes)
}
