//! Directives without a statement: enter and exit data, update, wait, init, shutdown, set, declare.

use crate::Result;
use crate::data;
use crate::region::{async_text, task_lines, wait_lines};
use crate::unit::HostSource;
use accl_abi::data_flags;
use accl_ir::{Function, HostExpr, Standalone, StandaloneKind};

/// Where a directive stands.
pub enum Scope<'f> {
    Function(&'f Function),
    File,
}

pub fn rewrite(unit: &mut HostSource, scope: &Scope, directive: &Standalone) -> Result<()> {
    let function = match scope {
        Scope::Function(function) => function.name.as_str(),
        Scope::File => "",
    };
    let span = directive.directive_span;
    let site = unit.site(function, words(&directive.kind), span, span);
    let lines = match (&directive.kind, scope) {
        (StandaloneKind::Declare, Scope::File) => file_declare(unit, directive, site),
        (StandaloneKind::Declare, Scope::Function(_)) => scope_declare(unit, directive, site),
        _ => statement(unit, directive, site),
    };
    let mut text = unit.generated(span, &lines);
    text.push_str(&unit.marker_behind(span.end));
    unit.edits.replace(span.start, span.end, text);
    Ok(())
}

fn words(kind: &StandaloneKind) -> &'static str {
    match kind {
        StandaloneKind::EnterData => "enter data",
        StandaloneKind::ExitData => "exit data",
        StandaloneKind::Update => "update",
        StandaloneKind::Wait => "wait",
        StandaloneKind::Init { .. } => "init",
        StandaloneKind::Shutdown { .. } => "shutdown",
        StandaloneKind::Set { .. } => "set",
        StandaloneKind::Declare => "declare",
    }
}

fn statement(unit: &HostSource, directive: &Standalone, site: usize) -> Vec<String> {
    let site = unit.site_address(site);
    let async_ = async_text(&directive.async_);
    let tasks = task_lines(&directive.waits);
    let ends = if tasks.is_empty() { "}" } else { "} }" };
    let mut lines: Vec<String> = tasks.into_iter().flat_map(|line| ["{".to_owned(), line]).collect();
    lines.push(match &directive.if_ {
        Some(condition) => format!("if ({}) {{", condition.text),
        None => "{".to_owned(),
    });
    lines.extend(wait_lines(&directive.waits, &site, &async_));
    match &directive.kind {
        StandaloneKind::EnterData => {
            lines.extend(data_call(unit, directive, "accl_enter_data", &site, &async_))
        }
        StandaloneKind::ExitData => {
            lines.extend(data_call(unit, directive, "accl_exit_data", &site, &async_))
        }
        StandaloneKind::Update => lines.extend(data_call(unit, directive, "accl_update", &site, &async_)),
        StandaloneKind::Wait | StandaloneKind::Declare => {}
        StandaloneKind::Init { device_types, device_num } => {
            lines.extend(
                devices(device_types, device_num).map(|device| format!("accl_init({site}, {device});")),
            );
        }
        StandaloneKind::Shutdown { device_types, device_num } => {
            lines.extend(
                devices(device_types, device_num).map(|device| format!("accl_shutdown({site}, {device});")),
            );
        }
        StandaloneKind::Set { device_types, device_num, default_async } => {
            let queue = default_async
                .as_ref()
                .map_or("-9223372036854775807L - 1".into(), |q| format!("(long)({})", q.text));
            lines.extend(
                devices(device_types, device_num)
                    .map(|device| format!("accl_set({site}, {device}, {queue});")),
            );
        }
    }
    lines.push(ends.into());
    lines
}

fn data_call(unit: &HostSource, directive: &Standalone, call: &str, site: &str, async_: &str) -> Vec<String> {
    let bits = [(directive.if_present, data_flags::IF_PRESENT), (directive.finalize, data_flags::FINALIZE)];
    let flags: u32 = bits.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum();
    let vars = data::declare(unit, &directive.data, flags | data::language(directive.if_.as_ref()));
    let mut lines = vars.lines;
    if vars.count > 0 {
        lines.push(format!("{call}({site}, {}, {}, {async_});", vars.name, vars.count));
    }
    lines.extend(data::list(&directive.list));
    lines.extend(data::list_call(&directive.list, call, site, async_));
    lines.extend(data::list_end(&directive.list));
    lines
}

/// For each type, or for none: `acc_device_t` of openacc.h and the number; -1 where not given.
fn devices<'d>(types: &'d [String], number: &'d Option<HostExpr>) -> impl Iterator<Item = String> + use<'d> {
    let each = types.iter().map(Some).chain(types.is_empty().then_some(None));
    each.map(|device_type| device(device_type, number))
}

fn device(device_type: Option<&String>, device_num: &Option<HostExpr>) -> String {
    let code = match device_type.map(|t| t.to_ascii_lowercase()).as_deref() {
        None | Some("*") => -1,
        Some("host") => 2,
        Some("nvidia" | "cuda") => 4,
        Some("radeon" | "amd") => 5,
        Some("opencl") => 7,
        Some("multicore" | "cpu") => 8,
        Some("not_host" | "gpu") => 3,
        Some(_) => 1,
    };
    let number = device_num.as_ref().map_or("-1".into(), |n| format!("(int)({})", n.text));
    format!("{code}, {number}")
}

/// In a function: the data live to the end of the scope, however it is left.
fn scope_declare(unit: &mut HostSource, directive: &Standalone, site: usize) -> Vec<String> {
    unit.needs_scope = true;
    let vars = data::declare(unit, &directive.data, 0);
    if vars.count == 0 {
        return Vec::new();
    }
    let unique = |line: &String| {
        line.replace("accl_vars", &format!("accl_vars_{site}"))
            .replace("accl_dims", &format!("accl_dims_{site}"))
    };
    let mut lines: Vec<String> = vars.lines.iter().map(unique).collect();
    let address = unit.site_address(site);
    lines.push(format!(
        "struct accl_scope accl_scope_{site} __attribute__((cleanup(accl_end_scope))) = {{{address}, accl_vars_{site}, {}}};",
        vars.count
    ));
    lines.push(format!("accl_data_begin({address}, accl_vars_{site}, {}, -1);", vars.count));
    lines
}

/// At file scope: the data live as long as the program, on each device that it uses.
fn file_declare(unit: &HostSource, directive: &Standalone, site: usize) -> Vec<String> {
    let vars = data::declare(unit, &directive.data, 0);
    // In C++ the objects before the directive have been constructed where a variable after it is initialised.
    let cplusplus = unit.options.cplusplus;
    let early = if cplusplus { "" } else { "__attribute__((constructor(65000))) " };
    let mut lines = vec![format!("static void {early}accl_declare_{site}(void) {{")];
    lines.extend(vars.lines);
    if vars.count > 0 {
        lines.push(format!("accl_declare({}, {}, {});", unit.site_address(site), vars.name, vars.count));
    }
    lines.push("}".into());
    if cplusplus {
        let unused = "__attribute__((unused))";
        let behind = unit.buffer.get(directive.directive_span.end as usize..).unwrap_or("");
        let inline = if is_in_class(behind) { "inline " } else { "" };
        lines.push(format!("static {inline}int accl_declared_{site} {unused} = (accl_declare_{site}(), 0);"));
    }
    lines
}

/// Of the text behind a place outside of functions: the braces around the place end with a semicolon.
fn is_in_class(behind: &str) -> bool {
    let mut depth = 0;
    let end = behind.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        depth < 0
    });
    end.is_some_and(|(at, _)| behind[at + 1..].trim_start().starts_with(';'))
}
