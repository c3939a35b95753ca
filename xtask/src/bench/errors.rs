//! The table of errors: how compression changes values, as measured by `bench/errors`.

use super::results::Row;
use super::table::Table;

/// What the papers report for the same.
const PAPERS: &[(&str, &str, &str)] = &[
    ("matmul 512", "range, 16 of 32", "6e-5, at most 1e-4"),
    ("HotSpot 512, 4000 steps", "range, 32 of 64", "at most 1e-10"),
];

/// The program measures errors, not times.
pub fn is_of(row: &Row) -> bool {
    row.ours().is_some_and(|outcome| !outcome.measured.is_empty())
}

pub fn table(rows: &[Row]) -> Option<Table> {
    let mut table = Table::new(&[
        "what",
        "held as",
        "relative error: geometric mean",
        "maximum",
        "standard deviation",
        "paper",
    ]);
    for line in rows.iter().filter_map(Row::ours).filter(|o| o.passed()).flat_map(|o| &o.measured) {
        let field = |name: &str| line.get(name).cloned().unwrap_or_default();
        let (what, held) = (field("what"), field("held"));
        let paper = PAPERS.iter().find(|(of, by, _)| (*of, *by) == (what.as_str(), held.as_str()));
        let paper = paper.map_or("–", |(_, _, reported)| reported).to_owned();
        table.rows.push(vec![what, held, field("geometric"), field("max"), field("deviation"), paper]);
    }
    (!table.rows.is_empty()).then_some(table)
}
