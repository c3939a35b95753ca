//! Programs that others wrote, beside their twins: what `cargo xtask programs DIR --time` measures.

use super::results::{OURS, Outcome, Row, Time, geometric_mean};
use super::table::{self, Table};
use std::collections::BTreeMap;

/// The rows of each collection.
pub fn collections(rows: &[Row]) -> BTreeMap<&str, Vec<Row>> {
    let mut found: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for row in rows {
        let collection = row.program.split_once('/').map_or("", |(collection, _)| collection);
        found.entry(collection).or_default().push(row.clone());
    }
    found
}

/// Ours, and each peer's time and how many times as long it takes. What is not counted stands in parentheses.
pub fn table(rows: &[Row], peers: &[(String, String)]) -> Table {
    let kernels = rows.iter().any(|row| row.ours().is_some_and(|ours| ours.kernel_ms.is_some()));
    let mut head = vec!["program", "size"];
    let predicted = rows.iter().any(|row| row.ours().is_some_and(|ours| ours.predicted_ms.is_some()));
    head.extend(kernels.then_some("kernels ms"));
    head.extend(predicted.then_some(["model ms", "of kernels"]).into_iter().flatten());
    head.push("clock ms");
    let titles: Vec<String> = peers.iter().map(|(_, title)| format!("{title} ms")).collect();
    head.extend(titles.iter().flat_map(|title| [title.as_str(), "×"]));
    let mut table = Table::new(&head);
    for row in rows {
        let name = row.program.split_once('/').map_or(row.program.as_str(), |(_, name)| name);
        let mut cells = vec![name.to_owned(), row.size.clone()];
        cells.extend(kernels.then(|| table::milliseconds(row.ours(), Time::Kernel)));
        if predicted {
            cells.extend(table::prediction(row.ours()));
        }
        cells.push(table::milliseconds(row.ours(), Time::App));
        for (peer, _) in peers {
            let theirs = row.results.get(peer);
            let time = if theirs.is_some_and(|o| o.kernel_ms.is_some()) { Time::Kernel } else { Time::App };
            let ratio = table::ratio(row.ratio(peer, time));
            cells.push(table::milliseconds(theirs, time));
            cells.push(if is_counted(theirs) { ratio } else { format!("({ratio})") });
        }
        table.rows.push(cells);
    }
    table.rows.push(means(rows, peers, table.head.len()));
    table
}

fn means(rows: &[Row], peers: &[(String, String)], columns: usize) -> Vec<String> {
    let mut cells = vec!["geometric mean".to_owned()];
    cells.resize(columns - 2 * peers.len(), String::new());
    for (peer, _) in peers {
        let ratios = ratios(rows, peer);
        cells.extend([format!("of {}", ratios.len()), table::ratio(geometric_mean(ratios.into_iter()))]);
    }
    cells
}

fn is_counted(theirs: Option<&Outcome>) -> bool {
    theirs.is_none_or(|outcome| outcome.note.is_none())
}

/// The ratios that count: of the time that the peer's programs say.
pub fn ratios(rows: &[Row], peer: &str) -> Vec<f64> {
    let ratio = |row: &Row| row.ratio(peer, Time::Kernel).or_else(|| row.ratio(peer, Time::App));
    rows.iter().filter(|row| is_counted(row.results.get(peer))).filter_map(ratio).collect()
}

/// What is to be known of single rows, for under the table: what failed, and what is not counted and why.
pub fn notes(rows: &[Row]) -> Vec<String> {
    let mut notes: Vec<String> = vec![];
    for row in rows {
        for (who, outcome) in &row.results {
            let who = if who == OURS { "ours" } else { who };
            if !outcome.passed() {
                notes.push(format!("{} {}, {who}: {}", row.program, row.args, outcome.check));
            }
            let note =
                outcome.note.as_ref().map(|note| format!("{}, {who}: not counted: {note}", row.program));
            notes.extend(note.filter(|note| !notes.contains(note)));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let json = r#"[
            {"program": "c/a", "args": "large", "size": "20x20", "results": {
                "accl": {"kernel_ms": 2.0, "app_ms": 9.0, "check": "PASS"}, "cuda": {"kernel_ms": 8.0, "check": "PASS"}}},
            {"program": "c/b", "args": "large", "size": "20", "results": {
                "accl": {"kernel_ms": 2.0, "app_ms": 9.0, "check": "PASS"},
                "cuda": {"kernel_ms": 1.0, "check": "PASS", "note": "half the work"}}},
            {"program": "c/d", "args": "large", "size": "30", "results": {
                "accl": {"kernel_ms": 1.0, "app_ms": 9.0, "check": "PASS"}, "cuda": {"check": "ran longer than 30 s"}}},
            {"program": "c/e", "args": "large", "size": "40", "results": {
                "accl": {"kernel_ms": 1.0, "app_ms": 9.0, "check": "PASS"}, "cuda": {"kernel_ms": 1.0, "check": "PASS"}}}]"#;
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_mean_is_of_what_is_comparable_and_ran() {
        let text = table(&rows(), &[("cuda".to_owned(), "CUDA".to_owned())]).text();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["a", "20x20", "2.00", "9.00", "8.00", "4.00"]);
        assert_eq!(lines[2], ["b", "20", "2.00", "9.00", "1.00", "(0.50)"]);
        assert_eq!(lines[3], ["d", "30", "1.00", "9.00", "failed", "–"]);
        assert_eq!(lines[5], ["geometric", "mean", "of", "2", "2.00"]);
    }

    #[test]
    fn what_is_left_out_is_explained() {
        let notes = notes(&rows());
        assert_eq!(notes, ["c/b, cuda: not counted: half the work", "c/d large, cuda: ran longer than 30 s"]);
    }

    #[test]
    fn without_times_of_kernels_the_clock_is_compared() {
        let json = r#"[{"program": "c/a", "args": "large", "size": "20", "results": {
            "accl": {"app_ms": 2.0, "check": "PASS"}, "gcc-openmp": {"app_ms": 3.0, "check": "PASS"}}}]"#;
        let rows: Vec<Row> = serde_json::from_str(json).unwrap();
        assert_eq!(ratios(&rows, "gcc-openmp"), [1.5]);
        let table = table(&rows, &[("gcc-openmp".to_owned(), "gcc".to_owned())]);
        assert_eq!(table.head, ["program", "size", "clock ms", "gcc ms", "×"]);
    }
}
