//! `docs/figures.md`: each figure with the paper's finding, ours, the picture and the numbers.

use super::super::manifest::{self, Manifest};
use super::super::results::Results;
use super::super::table::{self, Table};
use super::{Figure, Shows};
use crate::paths;
use anyhow::Result;

const HEAD: &str = "# The papers' figures, measured again

000 and 001 are the papers on compression, 004 the one on `fcw`. They measured on a Tesla K20c with an L2 cache of
1.5 MB, and their figures are graphs: what is said of them here is what their text says. Written by
`cargo xtask bench --report`, from `bench/figures/` and runs on the machine named. Gains are the time of the plain
program by the time of the line's: above 1, the line's is the faster. A dashed line is the number that the paper names.
Where applications are broken down, transfers hold compression; of CUDA by hand they are part of the rest, with allocation.
";

/// Writes the page where the results have something for it.
pub fn write(results: &Results) -> Result<()> {
    if results.figures.is_empty() {
        return Ok(());
    }
    let all = manifest::all()?;
    let [gpu, driver] = ["gpu", "driver"].map(|k| results.machine.get(k).map_or("?", String::as_str));
    let mut text = format!("{HEAD}\n{gpu}, driver {driver}.\n");
    for figure in super::all()? {
        let Some(table) = numbers(&figure, results, &all) else { continue };
        text += &format!("\n## {}: {}\n\n", figure.figure, figure.title);
        text += &format!("The paper: {}\n", figure.paper);
        text += &figure.finding.as_ref().map_or(String::new(), |f| format!("\nHere: {f}\n"));
        text += &format!("\n![{}](plots/{}.svg)\n\n{}", figure.title, figure.name, table.markdown());
    }
    let page = paths::root().join("docs/figures.md");
    std::fs::write(&page, text)?;
    println!("written: {}", page.display());
    Ok(())
}

/// Nothing where no point was measured.
fn numbers(figure: &Figure, results: &Results, all: &[Manifest]) -> Option<Table> {
    if figure.shows == Shows::Breakdown {
        return breakdown(figure, results, all);
    }
    let series = figure.series(results, all);
    let mut head = vec![figure.x.as_deref().unwrap_or_default()];
    head.extend(series.iter().map(|s| s.name.as_str()));
    let mut table = Table::new(&head);
    let cell = |value: Option<f64>| match figure.shows {
        Shows::Gain => table::ratio(value),
        Shows::Time | Shows::Breakdown => value.map_or("–".to_owned(), table::number),
    };
    for (i, (x, _)) in series.first()?.points.iter().enumerate() {
        let values: Vec<Option<f64>> = series.iter().map(|s| s.points.get(i).and_then(|p| p.1)).collect();
        if values.iter().any(Option::is_some) {
            let mut cells = vec![x.to_string()];
            cells.extend(values.into_iter().map(cell));
            table.rows.push(cells);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

fn breakdown(figure: &Figure, results: &Results, all: &[Manifest]) -> Option<Table> {
    let mut table =
        Table::new(&["application", "all ms", "kernels ms", "transfers ms", "the rest ms", "kernels' share"]);
    for bar in figure.bars(results, all) {
        let mut cells = vec![bar.name.clone()];
        cells.extend([bar.all, bar.kernel].map(table::number));
        cells.push(bar.transfers.map_or("–".to_owned(), table::number));
        cells.push(table::number(bar.rest()));
        cells.push(format!("{:.0}%", 100.0 * bar.kernel.min(bar.all) / bar.all));
        table.rows.push(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}
