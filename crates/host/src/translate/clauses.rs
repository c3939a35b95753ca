//! Data clauses as calls of the helper (OpenACC 3.3 §2.7).

use super::section::{self, COUNTERS};
use super::{Input, PortLanguage};
use accl_ir::{DataItem, DataKind};

/// Address and size as the helper takes them; `None` where there is nothing to move.
pub fn arguments(input: &Input, item: &DataItem) -> Option<(String, String)> {
    let section = section::of(input, item, false);
    Some((section.start, section.bytes?))
}

/// The call at the start of a block, if the kind has one.
pub fn begin_call(item: &DataItem) -> Option<&'static str> {
    match item.kind {
        DataKind::Copy | DataKind::Copyin => Some("port_copyin"),
        DataKind::Copyout | DataKind::Create if item.flags.zero => Some("port_create_zero"),
        DataKind::Copyout | DataKind::Create => Some("port_create"),
        DataKind::Present if !item.flags.implicit => Some("port_present"),
        DataKind::Present
        | DataKind::NoCreate
        | DataKind::Delete
        | DataKind::Deviceptr
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => None,
    }
}

/// The call at its end.
pub fn end_call(kind: DataKind) -> Option<&'static str> {
    match kind {
        DataKind::Copy | DataKind::Copyout => Some("port_copyout"),
        DataKind::Copyin | DataKind::Create => Some("port_delete"),
        DataKind::Present
        | DataKind::NoCreate
        | DataKind::Delete
        | DataKind::Deviceptr
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => None,
    }
}

/// Lines before and after a block that holds one item.
pub fn around(item: &DataItem, start: &str, bytes: &str) -> (Vec<String>, Vec<String>) {
    let call = |name: &str| format!("{name}({start}, {bytes});");
    let mut before: Vec<String> = begin_call(item).map(call).into_iter().collect();
    let mut after: Vec<String> = end_call(item.kind).map(call).into_iter().collect();
    if item.flags.always_in && matches!(item.kind, DataKind::Copy | DataKind::Copyin) {
        before.push(call("port_update_device"));
    }
    if item.flags.always_out && matches!(item.kind, DataKind::Copy | DataKind::Copyout) {
        after.insert(0, call("port_update_self"));
    }
    (before, after)
}

/// Lines before and after a construct that the host only starts. The lines after it come in reverse order.
pub fn around_all(input: &Input, items: &[DataItem]) -> (Vec<String>, Vec<String>) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if input.target == PortLanguage::C {
        return (before, after);
    }
    for item in items {
        if let Some((start, bytes)) = arguments(input, item) {
            let (first, last) = around(item, &start, &bytes);
            before.extend(first);
            after.splice(0..0, last);
        }
    }
    (before, after)
}

/// `enter data`, `exit data`.
pub fn unstructured(input: &Input, item: &DataItem, finalize: bool) -> Vec<String> {
    let call = match item.kind {
        DataKind::Copy | DataKind::Copyin => "port_enter_copyin",
        DataKind::Create if item.flags.zero => "port_enter_create_zero",
        DataKind::Create => "port_enter_create",
        DataKind::Copyout => "port_exit_copyout",
        DataKind::Delete => "port_exit_delete",
        DataKind::NoCreate
        | DataKind::Present
        | DataKind::Deviceptr
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => return Vec::new(),
    };
    let Some((start, bytes)) = arguments(input, item) else { return Vec::new() };
    let ends = matches!(item.kind, DataKind::Copyout | DataKind::Delete);
    let forget = ((finalize || item.flags.finalize) && ends)
        .then(|| format!("port_forget_holders({start}, {bytes});"));
    forget.into_iter().chain([format!("{call}({start}, {bytes});")]).collect()
}

/// `update`: what a strided section names, run by run.
pub fn update(input: &Input, item: &DataItem, if_present: bool) -> Vec<String> {
    let call = match item.kind {
        DataKind::UpdateDevice => "port_update_device",
        _ => "port_update_self",
    };
    let section = section::of(input, item, true);
    let Some(bytes) = section.bytes else { return Vec::new() };
    let mut lines = Vec::new();
    let mut depth = 0;
    let mut push = |text: String, depth: usize| lines.push(format!("{}{text}", "    ".repeat(depth)));
    if if_present {
        let whole = section::of(input, item, false);
        let size = whole.bytes.unwrap_or_else(|| "0".into());
        push(format!("if (port_is_present({}, {size}))", whole.start), depth);
        depth += 1;
    }
    for (count, counter) in section.counts.iter().zip(COUNTERS) {
        push(format!("for (long {counter} = 0; {counter} < (long)({count}); {counter}++)"), depth);
        depth += 1;
    }
    push(format!("{call}({}, {bytes});", section.start), depth);
    lines
}
