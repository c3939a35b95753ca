//! Tables, for the terminal and for Markdown: the same cells, the same widths.

use super::results::{OURS, Outcome, Row, Time, geometric_mean};

/// Rows of cells under a head. Numbers are right-aligned, the first column is not.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|h| (*h).to_owned()).collect(), rows: vec![] }
    }

    fn widths(&self) -> Vec<usize> {
        let width = |i: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(i)).chain(self.head.get(i));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..self.head.len()).map(width).collect()
    }

    pub fn text(&self) -> String {
        let widths = self.widths();
        let line = |cells: &[String]| padded(cells, &widths).join("  ").trim_end().to_owned() + "\n";
        std::iter::once(&self.head).chain(&self.rows).map(|cells| line(cells)).collect()
    }

    pub fn markdown(&self) -> String {
        let widths: Vec<usize> = self.widths().iter().map(|w| (*w).max(3)).collect();
        let line = |cells: &[String]| format!("| {} |\n", padded(cells, &widths).join(" | "));
        let rule = |(i, w): (usize, &usize)| if i == 0 { "-".repeat(*w) } else { "-".repeat(*w - 1) + ":" };
        let rules: Vec<String> = widths.iter().enumerate().map(rule).collect();
        line(&self.head) + &line(&rules) + &self.rows.iter().map(|cells| line(cells)).collect::<String>()
    }
}

fn padded(cells: &[String], widths: &[usize]) -> Vec<String> {
    let pad = |(i, cell): (usize, &String)| {
        let blanks = " ".repeat(widths.get(i).map_or(0, |w| w.saturating_sub(cell.chars().count())));
        if i == 0 { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
    };
    cells.iter().enumerate().map(pad).collect()
}

/// The table of a device: ours, then each peer's time and how many times as long it takes.
pub fn of_rows(rows: &[Row], peers: &[(String, String)]) -> Table {
    let mut head = vec!["program", "size", "kernel ms", "app ms"];
    let titles: Vec<[String; 3]> = peers
        .iter()
        .map(|(_, title)| [format!("{title} ms"), "kernel ×".to_owned(), "app ×".to_owned()])
        .collect();
    head.extend(titles.iter().flatten().map(String::as_str));
    head.extend(["error", "check"]);
    let mut table = Table::new(&head);
    for row in rows {
        let ours = row.ours();
        let mut cells = vec![row.program.clone(), row.size.clone()];
        cells.extend([Time::Kernel, Time::App].map(|time| milliseconds(ours, time)));
        for (peer, _) in peers {
            cells.push(milliseconds(row.results.get(peer), Time::Kernel));
            cells.extend([Time::Kernel, Time::App].map(|time| ratio(row.ratio(peer, time))));
        }
        cells.push(ours.and_then(|o| o.error).map_or("–".to_owned(), |e| format!("{e:.1e}")));
        cells.push(
            ours.map_or("not run".to_owned(), |o| if o.passed() { o.check.clone() } else { "FAIL".into() }),
        );
        table.rows.push(cells);
    }
    table.rows.push(means(rows, peers));
    table
}

fn means(rows: &[Row], peers: &[(String, String)]) -> Vec<String> {
    let mut cells = vec!["geometric mean".to_owned(), String::new(), String::new(), String::new()];
    for (peer, _) in peers {
        cells.push(String::new());
        for time in [Time::Kernel, Time::App] {
            cells.push(ratio(geometric_mean(rows.iter().filter_map(|row| row.ratio(peer, time)))));
        }
    }
    cells.extend([String::new(), String::new()]);
    cells
}

/// What failed, one line each, for under the table.
pub fn failures(rows: &[Row]) -> Vec<String> {
    let of_row = |row: &Row| -> Vec<String> {
        let failed = row.results.iter().filter(|(_, outcome)| !outcome.passed());
        failed
            .map(|(name, outcome)| {
                let name = if name == OURS { "ours" } else { name };
                format!("{} {}, {name}: {}", row.program, row.size, outcome.check)
            })
            .collect()
    };
    rows.iter().flat_map(of_row).collect()
}

pub fn milliseconds(outcome: Option<&Outcome>, time: Time) -> String {
    match outcome {
        None => "–".to_owned(),
        Some(outcome) => outcome.time(time).map_or("failed".to_owned(), number),
    }
}

/// What the cost model expected of our kernels, and that over what they took.
pub fn prediction(ours: Option<&Outcome>) -> [String; 2] {
    let predicted = ours.and_then(|ours| ours.predicted_ms);
    let share = predicted.zip(ours.and_then(|ours| ours.kernel_ms)).map(|(model, took)| model / took);
    [predicted.map_or("–".to_owned(), number), ratio(share)]
}

pub fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("–".to_owned(), |r| if r < 10.0 { format!("{r:.2}") } else { format!("{r:.0}") })
}

/// Three significant digits, or the whole number.
pub fn number(value: f64) -> String {
    let digits = if value >= 100.0 || value <= 0.0 { 0 } else { (2.0 - value.log10().floor()) as usize };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let shown = [1234.5, 123.4, 12.345, 1.2345, 0.012345, 0.0].map(number);
        assert_eq!(shown, ["1234", "123", "12.3", "1.23", "0.0123", "0"]);
    }

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["a", "bb"]);
        table.rows.push(vec!["xyz".into(), "1".into()]);
        assert_eq!(table.text(), "a    bb\nxyz   1\n");
        assert_eq!(table.markdown(), "| a   |  bb |\n| --- | --: |\n| xyz |   1 |\n");
    }
}
