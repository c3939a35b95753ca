//! Several sections of one variable in a data construct, or in several around each other. Each is a piece of device memory of its
//! own, and a kernel that names the variable accesses one of them.
//!
//! The subscripts decide which one, where they cover what a clause names or lie between constants. Otherwise the construct
//! has an item for each of the innermost construct's, and the runtime sees to it that they lie in one place with all others of the
//! variable; compressed ones do not.

use accl_analysis::data::{Summary, Variable};
use accl_analysis::section;
use accl_ir::{DataItem, HostExpr, SectionDim};
use accl_source::codes::transforms::TWO_SECTIONS;
use accl_source::{Diagnostic, Span};

/// Of the items of a variable, those of inner constructs last, the one that contains the construct's accesses. `None`: that is not known.
pub fn used<'i>(summary: &Summary<'_>, v: &Variable, items: &[&'i DataItem]) -> Option<&'i DataItem> {
    let (last, before) = items.split_last()?;
    if before.iter().all(|item| shown(item) == shown(last)) {
        return Some(last);
    }
    let accessed = section::of_pointer(summary, v)?;
    let text: String = accessed.shown.split_whitespace().collect();
    if let Some(same) = items.iter().rfind(|item| shown(item) == text) {
        return Some(same);
    }
    let (first, end) = ends(&accessed.dim)?;
    let holds = |item: &&&DataItem| match &item.section[..] {
        [] => true,
        [dim] => ends(dim).is_some_and(|(from, to)| from <= first && end <= to),
        _ => false,
    };
    items.iter().rfind(holds).copied()
}

/// `[:n]`, the spelling in which the analysis shows what is accessed.
fn shown(item: &DataItem) -> String {
    let text = |e: Option<&HostExpr>| e.map_or(String::new(), |e| e.text.split_whitespace().collect());
    let dims = item.section.iter().map(|dim| {
        let lower = dim.lower.as_ref().filter(|e| e.value != Some(0));
        format!("[{}:{}]", text(lower), text(dim.length.as_ref()))
    });
    dims.collect()
}

fn ends(dim: &SectionDim) -> Option<(i64, i64)> {
    let lower = dim.lower.as_ref().map_or(Some(0), |e| e.value)?;
    Some((lower, lower.checked_add(dim.length.as_ref()?.value?)?))
}

pub fn not_told(name: &str, used: Span, items: &[&DataItem]) -> Diagnostic {
    let message = format!(
        "`{name}` is on the device in {} sections, and this construct does not tell which it uses",
        items.len()
    );
    let error = Diagnostic::error(TWO_SECTIONS, message).label(used, "used here");
    let error = items.iter().fold(error, |error, item| error.label(item.span, format!("`{}`", item.name)));
    error
        .with_note("each section is a piece of device memory of its own")
        .with_help(format!(
            "name one section that covers all in the data construct, or write `present({name}[first:number])` on this one"
        ))
}
