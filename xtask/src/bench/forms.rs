//! The extended forms of a program beside its plain one.
//!
//! `matmul_c` is a form of `matmul`, the section `[form.c]` of its manifest: the same source with other flags, so that
//! its directives use an extension (`_c`: compressed arrays; `_fcw…`, `_cache…`: windows in shared memory). A form is
//! compared with the plain program of the same run.

use super::kept;
use super::manifest::Manifest;
use super::results::{Outcome, Results, Row, Time};
use super::table::{self, Table};

/// A form's results at one size, with those of the plain program.
pub struct ProgramForm<'r> {
    pub row: &'r Row,
    pub plain: Option<&'r Outcome>,
    /// What the paper reports: "up to 2.07 (001, figure 6.5)".
    pub paper: String,
}

impl ProgramForm<'_> {
    /// How many times as fast as plain.
    pub fn gain(&self) -> Option<f64> {
        Some(self.plain?.time(Time::Kernel)? / self.row.ours()?.time(Time::Kernel)?)
    }

    /// Windows in shared memory; else compressed arrays.
    pub fn is_window(&self) -> bool {
        ["_fcw", "_cache", "_ghost"].iter().any(|word| self.row.program.contains(word))
    }

    /// "copy_c 134217728/1"
    pub fn name(&self) -> String {
        format!("{} {}", self.row.program, self.row.size)
    }
}

/// The plain program that one is a form of.
pub fn plain_of<'p>(program: &str, all: &'p [Manifest]) -> Option<&'p str> {
    let names = all.iter().map(|m| m.name.as_str());
    names
        .filter(|name| program.strip_prefix(name).is_some_and(|rest| rest.starts_with('_')))
        .max_by_key(|name| name.len())
}

/// All forms that were measured on a device.
pub fn of<'r>(results: &'r Results, device: &str, all: &[Manifest]) -> Vec<ProgramForm<'r>> {
    let rows = results.bench.get(device).map_or(&[][..], Vec::as_slice);
    let mut forms = vec![];
    for row in rows {
        if plain_of(&row.program, all).is_none() {
            continue;
        }
        let paper = all.iter().find(|m| m.name == row.program).and_then(|m| m.paper.clone());
        forms.push(ProgramForm {
            row,
            plain: row.results.get(kept::PLAIN),
            paper: paper.unwrap_or_else(|| "–".to_owned()),
        });
    }
    forms
}

pub fn table(forms: &[ProgramForm<'_>]) -> Option<Table> {
    let mut table = Table::new(&[
        "form",
        "size",
        "plain ms",
        "form ms",
        "plain/form",
        "GB/s moved",
        "CUDA by hand ms",
        "CUDA ×",
        "error",
        "paper",
    ]);
    for form in forms {
        let ours = form.row.ours();
        let time = ours.and_then(|o| o.time(Time::Kernel));
        let rate = form.row.bytes.zip(time).map_or("–".to_owned(), |(b, ms)| table::number(b / ms / 1e6));
        table.rows.push(vec![
            form.row.program.clone(),
            form.row.size.clone(),
            table::milliseconds(form.plain, Time::Kernel),
            table::milliseconds(ours, Time::Kernel),
            table::ratio(form.gain()),
            rate,
            table::milliseconds(form.row.results.get("cuda"), Time::Kernel),
            table::ratio(form.row.ratio("cuda", Time::Kernel)),
            ours.and_then(|o| o.error).map_or("–".to_owned(), |e| format!("{e:.1e}")),
            form.paper.clone(),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}
