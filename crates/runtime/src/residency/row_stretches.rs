//! Rows that a program allocates one by one, each of a few bytes, lie one after the other in the C library's memory. Such a stretch of
//! rows is tracked as one object, with pages, so that a million rows are resident as one array is.
//!
//! Invariants: nothing lies in a stretch but rows that constructs follow, and between them what the C library keeps of each: so a
//! protected page is no affair of anyone who does not use the rows. The library looks at what it keeps of a row when that is freed, and
//! then the stretch has been dissolved ([`super::objects::dissolve`]); or when the allocation before it is freed, and then at that of
//! the next two rows at most, whose pages are never protected. It is dissolved, too, where a data clause names one of its rows.

use super::objects::{HostObject, TRACKED, track_stretch};
use super::pages::page;
use std::ops::Range;
use std::sync::Arc;

/// The smallest piece of memory that the C library gives: where less lies between two rows nothing else does.
const SMALLEST: usize = 32;
/// Rows whose pages are not protected.
const FIRST_ROWS: usize = 2;

/// Rows one after the other.
struct Run {
    extent: Range<usize>,
    rows: usize,
    /// Where the pages may begin.
    protectable: usize,
}

/// Makes stretches of rows, which are given in the order of their addresses.
pub fn of<'a>(rows: impl Iterator<Item = &'a Range<usize>>) -> Vec<Arc<HostObject>> {
    runs(rows).iter().filter_map(tracked).collect()
}

fn runs<'a>(rows: impl Iterator<Item = &'a Range<usize>>) -> Vec<Run> {
    let mut runs: Vec<Run> = vec![];
    for row in rows.filter(|row| !row.is_empty()) {
        match runs.last_mut() {
            Some(run) if row.start >= run.extent.end && row.start - run.extent.end < SMALLEST => {
                run.extent.end = row.end;
                run.rows += 1;
                if run.rows == FIRST_ROWS + 1 {
                    run.protectable = row.start;
                }
            }
            _ => runs.push(Run { extent: row.clone(), rows: 1, protectable: row.end }),
        }
    }
    runs.retain(|run| run.rows > FIRST_ROWS);
    runs
}

fn tracked(run: &Run) -> Option<Arc<HostObject>> {
    let first = run.protectable.next_multiple_of(page());
    let last = run.extent.end - run.extent.end % page();
    (first + TRACKED <= last).then(|| track_stretch(run.extent.clone(), first..last)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &[Range<usize>]) -> Vec<(Range<usize>, usize)> {
        runs(rows.iter()).into_iter().map(|run| (run.extent, run.protectable)).collect()
    }

    #[test]
    fn rows_with_nothing_between_are_a_run() {
        assert_eq!(found(&[160..228, 240..308, 320..388, 400..420]), [(160..420, 320)]);
    }

    #[test]
    fn what_lies_between_divides_runs() {
        let rows = [0..16, 32..48, 64..80, 128..144, 160..176, 192..208, 300..310];
        assert_eq!(found(&rows), [(0..80, 64), (128..208, 192)]);
    }
}
