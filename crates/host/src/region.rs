//! Compute and data constructs.

use crate::data::{self, Vars};
use crate::unit::HostSource;
use crate::{Result, host_data, host_version, launch};
use accl_ir::{Async, Function, HostExpr, Region, RegionKind, Wait};
use accl_source::Span;

/// Edits for one region, and for those in it.
pub fn rewrite(unit: &mut HostSource, function: &Function, region: &Region) -> Result<()> {
    let site = unit.site(&function.name, directive_words(region), region.directive_span, region.body_span);
    match region.kind {
        RegionKind::Parallel | RegionKind::Kernels | RegionKind::Serial => compute(unit, region, site),
        RegionKind::Data => data(unit, function, region, site),
        RegionKind::Partitioned => partitioned(unit, function, region, site),
        RegionKind::OnHost if region.follows_data() => host_version::alone(unit, region, site),
        RegionKind::OnHost => host_version::in_place(unit, region, site),
        RegionKind::HostData => host_data::rewrite(unit, function, region, site),
    }
}

fn directive_words(region: &Region) -> &'static str {
    match (region.kind, region.combined) {
        (RegionKind::Parallel, false) => "parallel",
        (RegionKind::Parallel, true) => "parallel loop",
        (RegionKind::Kernels | RegionKind::Partitioned, false) => "kernels",
        (RegionKind::Kernels | RegionKind::Partitioned, true) => "kernels loop",
        (RegionKind::Serial, false) => "serial",
        (RegionKind::Serial, true) => "serial loop",
        (RegionKind::Data, _) => "data",
        (RegionKind::HostData, _) => "host_data",
        (RegionKind::OnHost, _) => "compute",
    }
}

/// `ACCL_SYNC`
pub const SYNC: &str = "-1";

/// `ACCL_SYNC`, `ACCL_NOVAL` or the queue.
pub fn async_text(clause: &Option<Async>) -> String {
    match clause {
        None => SYNC.into(),
        Some(Async { queue: None }) => "-2".into(),
        Some(Async { queue: Some(queue) }) => format!("(long)({})", queue.text),
    }
}

/// The calls that wait clauses, or a wait directive, make.
pub fn wait_lines(waits: &[Wait], site: &str, async_: &str) -> Vec<String> {
    waits.iter().filter(|wait| !wait.tasks).flat_map(|wait| one_wait(wait, site, async_)).collect()
}

/// Lines in front of a construct that follows tasks of the host, wherever it runs.
pub fn task_lines(waits: &[Wait]) -> Vec<String> {
    waits.iter().filter(|wait| wait.tasks).map(|_| "#pragma omp taskwait".to_owned()).take(1).collect()
}

fn one_wait(wait: &Wait, site: &str, async_: &str) -> Vec<String> {
    let Wait { devnum, queues, tasks: _ } = wait;
    let call = |queues: &str, count: usize| match devnum {
        None => format!("accl_wait({site}, {queues}, {count}, {async_});"),
        Some(number) => format!("accl_wait_device({site}, (int)({}), {queues}, {count});", number.text),
    };
    if queues.is_empty() {
        return vec![call("0", 0)];
    }
    let values: Vec<String> = queues.iter().map(|q| format!("(long)({})", q.text)).collect();
    vec![
        format!("{{ long accl_queues[] = {{{}}};", values.join(", ")),
        format!("  {} }}", call("accl_queues", values.len())),
    ]
}

/// The construct becomes a launch of its kernels between the two ends of its data.
fn compute(unit: &mut HostSource, region: &Region, site: usize) -> Result<()> {
    let clauses = &region.clauses;
    if let Some(None) = clauses.self_ {
        return host_version::alone(unit, region, site);
    }
    for kernel in &region.kernels {
        let mut next = Some(*kernel);
        while let Some(kernel) = next {
            unit.use_kernel(kernel, site);
            next = crate::tables::fallback(unit, kernel);
        }
    }
    let mut lines = vec!["{".to_owned()];
    lines.extend(task_lines(&clauses.waits));
    let on_device = device_lines(unit, region, site);
    match offload_condition(clauses.if_.as_ref(), clauses.self_.as_ref()) {
        None => lines.extend(on_device),
        Some(condition) => {
            lines.push(format!("if (accl_offload({}, {condition})) {{", unit.site_address(site)));
            lines.extend(on_device);
            lines.push("} else {".into());
            lines.extend(wait_lines(&clauses.waits, &unit.site_address(site), SYNC));
            let body = host_version::of(unit, region)?;
            let mut text = unit.generated(region.directive_span, &lines);
            text.push_str(&body);
            text.push_str(&unit.generated(region.directive_span, &["} }".to_owned()]));
            return replace(unit, region, text);
        }
    }
    lines.push("}".into());
    let text = unit.generated(region.directive_span, &lines);
    replace(unit, region, text)
}

pub fn replace(unit: &mut HostSource, region: &Region, mut text: String) -> Result<()> {
    let Span { start, .. } = region.directive_span;
    let end = region.body_span.end;
    text.push_str(&unit.marker(end.saturating_sub(1).max(start)));
    // A part of a partitioned construct may stand in the middle of a line.
    if !unit.starts_line(start) {
        text.insert(0, '\n');
    }
    unit.edits.replace(start, end, text);
    Ok(())
}

/// The condition for running on the device, from `if` and `self` (OpenACC 3.3 §2.5.5, §2.5.6).
pub fn offload_condition(if_: Option<&HostExpr>, self_: Option<&Option<HostExpr>>) -> Option<String> {
    let wanted = if_.map(|e| format!("({}) != 0", e.text));
    let refused = self_.and_then(Option::as_ref).map(|e| format!("!({})", e.text));
    match (wanted, refused) {
        (Some(wanted), Some(refused)) => Some(format!("({wanted}) && {refused}")),
        (wanted, refused) => wanted.or(refused),
    }
}

fn device_lines(unit: &HostSource, region: &Region, site: usize) -> Vec<String> {
    let clauses = &region.clauses;
    let site = unit.site_address(site);
    let async_ = async_text(&clauses.async_);
    let vars = data::declare(unit, &clauses.data, data::language(clauses.if_.as_ref()));
    let mut lines = vars.lines.clone();
    lines.extend(wait_lines(&clauses.waits, &site, &async_));
    lines.extend(begin(&vars, &site, &async_));
    for kernel in &region.kernels {
        lines.extend(launch::statements(unit, *kernel, &vars, &site, &async_));
    }
    lines.extend(end(&vars, &site, &async_));
    lines
}

pub fn begin(vars: &Vars, site: &str, async_: &str) -> Option<String> {
    (vars.count > 0).then(|| format!("accl_data_begin({site}, {}, {}, {async_});", vars.name, vars.count))
}

pub fn end(vars: &Vars, site: &str, async_: &str) -> Option<String> {
    (vars.count > 0).then(|| format!("accl_data_end({site}, {}, {}, {async_});", vars.name, vars.count))
}

/// The body stays; calls around it begin and end its data.
fn data(unit: &mut HostSource, function: &Function, region: &Region, site: usize) -> Result<()> {
    let clauses = &region.clauses;
    let site = unit.site_address(site);
    let async_ = async_text(&clauses.async_);
    let vars = data::declare(unit, &clauses.data, data::language(clauses.if_.as_ref()));
    let mut before = vec!["{".to_owned()];
    before.extend(task_lines(&clauses.waits));
    before.extend(vars.lines.clone());
    let returns = data::language(clauses.if_.as_ref()) != 0 && (vars.count > 0 || !clauses.list.is_empty());
    let guard = match &clauses.if_ {
        Some(condition) => {
            before.push(format!("int accl_if = ({}) != 0;", condition.text));
            // Constructs inside may be for other devices.
            if returns {
                before.push("int accl_device = accl_if ? accl_omp_device_here() : 0;".to_owned());
            }
            "if (accl_if) "
        }
        None => "",
    };
    before.extend(wait_lines(&clauses.waits, &site, &async_));
    before.extend(begin(&vars, &site, &async_).map(|call| format!("{guard}{call}")));
    before.extend(data::list(&clauses.list));
    let listed =
        |call| data::list_call(&clauses.list, call, &site, &async_).map(|call| format!("{guard}{call}"));
    before.extend(listed("accl_data_begin"));
    let mut after = vec![];
    if returns {
        after.push(format!("{guard}accl_omp_return_to(accl_device);"));
    }
    after.extend(listed("accl_data_end"));
    after.extend(data::list_end(&clauses.list));
    after.extend(end(&vars, &site, &async_).map(|call| format!("{guard}{call}")));
    after.push("}".into());
    around(unit, region, &before, &mut |unit| unit.block(function, &region.body), &after)
}

/// The construct becomes a data construct; where its condition is false, the statement runs unchanged.
fn partitioned(unit: &mut HostSource, function: &Function, region: &Region, site: usize) -> Result<()> {
    let clauses = &region.clauses;
    let site = unit.site_address(site);
    let async_ = async_text(&clauses.async_);
    let vars = data::declare(unit, &clauses.data, data::language(clauses.if_.as_ref()));
    let condition = offload_condition(clauses.if_.as_ref(), clauses.self_.as_ref());
    let mut before = vec!["{".to_owned()];
    before.extend(task_lines(&clauses.waits));
    before.extend(condition.iter().map(|c| format!("if (accl_offload({site}, {c})) {{")));
    before.extend(vars.lines.clone());
    before.extend(wait_lines(&clauses.waits, &site, &async_));
    before.extend(begin(&vars, &site, &async_));
    let mut after: Vec<String> = end(&vars, &site, &async_).into_iter().collect();
    after.push("}".into());
    let inside = &mut |unit: &mut HostSource| {
        host_version::copies_where_they_stand(unit, region);
        unit.block(function, &region.body)
    };
    if condition.is_none() {
        return around(unit, region, &before, inside, &after);
    }
    after.push("else {".into());
    after.extend(wait_lines(&clauses.waits, &site, SYNC));
    let original = host_version::of(unit, region)?;
    around(unit, region, &before, inside, &after)?;
    let mut text = original;
    text.push_str(&unit.generated_at(region.body_span.end.saturating_sub(1), &["} }".to_owned()]));
    text.push_str(&unit.marker(region.body_span.end.saturating_sub(1)));
    unit.edits.insert(region.body_span.end, text);
    Ok(())
}

/// Puts `before` in place of the directive and `after` after the body, whose own edits `inside` makes.
pub fn around(
    unit: &mut HostSource,
    region: &Region,
    before: &[String],
    inside: &mut dyn FnMut(&mut HostSource) -> Result<()>,
    after: &[String],
) -> Result<()> {
    let Span { start, end, .. } = region.directive_span;
    let mut text = unit.generated(region.directive_span, before);
    text.push_str(&unit.marker_behind(end));
    // The inner one of a directive's two regions stands behind its line.
    if !unit.starts_line(start) {
        text.insert(0, '\n');
    }
    unit.edits.replace(start, end, text);
    inside(unit)?;
    let end = region.body_span.end;
    let mut text = String::from("\n");
    text.push_str(&unit.generated_at(end.saturating_sub(1), after));
    text.push_str(&unit.marker(end.saturating_sub(1)));
    unit.edits.insert(end, text);
    Ok(())
}
