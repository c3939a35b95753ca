//! A figure as a table.

use super::super::table::{self, Table};
use super::{Figure, Shown, Shows};

/// The numbers behind the picture.
pub fn numbers(figure: &Figure, shown: &Shown) -> Table {
    if figure.shows == Shows::Breakdown {
        return breakdown(shown);
    }
    let mut head = vec![figure.x.as_deref().unwrap_or_default()];
    head.extend(shown.lines.iter().map(|line| line.name.as_str()));
    let mut table = Table::new(&head);
    let cell = |value: Option<f64>| match figure.shows {
        Shows::Gain => table::ratio(value),
        Shows::Time | Shows::Breakdown => value.map_or("–".to_owned(), table::number),
    };
    let points = shown.lines.first().map_or(&[][..], |line| &line.points);
    for (i, (x, _)) in points.iter().enumerate() {
        let values = shown.lines.iter().map(|line| line.points.get(i).and_then(|p| p.1));
        table.rows.push(std::iter::once(x.to_string()).chain(values.map(cell)).collect());
    }
    table
}

fn breakdown(shown: &Shown) -> Table {
    let mut table =
        Table::new(&["application", "all ms", "kernels ms", "transfers ms", "the rest ms", "kernels' share"]);
    for bar in &shown.bars {
        let mut cells = vec![bar.name.clone()];
        cells.extend([bar.all, bar.kernel].map(table::number));
        cells.push(bar.transfers.map_or("–".to_owned(), table::number));
        cells.push(table::number(bar.rest()));
        cells.push(format!("{:.0}%", 100.0 * bar.kernel.min(bar.all) / bar.all));
        table.rows.push(cells);
    }
    table
}
