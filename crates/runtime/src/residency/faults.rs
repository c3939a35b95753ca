//! How many pages one access of the host brings.
//!
//! The first access after a launch brings its page alone. To ask for a page takes as long as to bring a few dozen, so each further
//! one brings what lies around it, more where accesses run on or come again and again. A program that looks at the same places
//! after each launch, as far from its first access as before, gets them all with the first. Nobody sees which of them it does
//! access then. So now and then the first access brings only the nearer half, and the others a part each: that tells within
//! such a part how far the program still gets, for a few accesses more.

use std::ops::Range;

/// Accesses that follow one another from here on bring four times as many pages each time.
const RUN: u32 = 2;
/// From here on what comes next is read ahead.
const LONG_RUN: u32 = 3;
/// 2^10 pages, 4 MiB, at most.
const LONGEST: u32 = 10;
/// 2^4 pages come with an access that is not the first.
const AROUND: u32 = 4;
/// Pages that are read ahead at once, 4 MiB.
const AHEAD: usize = 1 << 10;
/// It is read ahead so many times as far as accesses have got.
const FAR: usize = 4;
/// So many accesses anywhere, since a kernel wrote the object, double the pages that each one brings.
const SCATTERED: u32 = 32;
/// Pages that are brought because they were before.
const EXPECTED: usize = 2048;
/// After so many launches it is looked again which pages the program accesses; after each launch while half of them is enough.
const AGAIN: u32 = 16;
/// The parts of what was expected that are brought one by one when it is looked again.
const PARTS: usize = 8;

#[derive(Default)]
pub struct FaultWindow {
    /// The page after the last one brought, and how many came with that.
    next: usize,
    last: usize,
    /// How often accesses followed one another.
    run: u32,
    /// How often pages were brought since the last launch.
    faults: u32,
    /// The page of the first access since then, all that lie between those brought, and how many these were.
    first: usize,
    reached: Range<usize>,
    brought: usize,
    /// What was reached after the last two launches that accesses followed.
    earlier: [Option<Reach>; 2],
    /// How often that was expected since it was looked again.
    expected: u32,
    /// The page before which it is read ahead.
    far: usize,
    /// While it is looked again, the pages that come with a further access.
    part: Option<usize>,
}

/// Pages before that of the first access, and from it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Reach {
    before: usize,
    after: usize,
}

impl FaultWindow {
    /// The pages that an access to this one brings.
    pub fn around(&mut self, page: usize) -> Range<usize> {
        let is_first = self.faults == 0;
        // Accesses may leave out what is padding between rows.
        let follows = (self.next..=self.next + self.last / 2).contains(&page) && !is_first;
        self.run = if follows { self.run + 1 } else { 0 };
        self.faults += 1;
        if is_first {
            (self.first, self.reached, self.brought) = (page, page..page, 0);
            let reach = self.expect().unwrap_or(Reach { before: 0, after: 1 });
            return page.saturating_sub(reach.before)..page + reach.after;
        }
        let by_run = if self.run < RUN { 0 } else { AROUND + 2 * (self.run - RUN + 1) };
        let length = 1 << (AROUND + self.faults / SCATTERED).max(by_run).min(LONGEST);
        let length = length.max(self.part.unwrap_or(0));
        let begin = if self.run > 0 { page } else { page - page % length };
        begin..begin + length
    }

    /// These were brought.
    pub fn brought(&mut self, pages: &Range<usize>) {
        (self.next, self.last) = (pages.end, pages.len());
        self.brought += pages.len();
        self.reached = self.reached.start.min(pages.start)..self.reached.end.max(pages.end);
        self.far = pages.end + FAR * self.reached.len();
    }

    /// The pages that are read ahead next, of so many that there are; none where accesses do not follow one another.
    pub fn ahead(&self, count: usize) -> Range<usize> {
        let goes_on = self.faults > 0 && self.run >= LONG_RUN;
        let end = (self.next + AHEAD).min(self.far).min(count);
        if goes_on && self.next < end { self.next..end } else { 0..0 }
    }

    /// These were read ahead. Whether the host gets there is not known.
    pub fn went_ahead(&mut self, pages: &Range<usize>) {
        self.next = pages.end;
    }

    pub fn launched(&mut self) {
        if self.faults > 0 {
            let is_dense = self.brought * 4 >= self.reached.len() && self.reached.len() <= EXPECTED;
            let reach =
                Reach { before: self.first - self.reached.start, after: self.reached.end - self.first };
            self.earlier = [is_dense.then_some(reach), self.earlier[0]];
        }
        if self.part.take().is_some() && self.faults == 1 {
            self.expected = AGAIN;
        }
        self.faults = 0;
    }

    /// What was reached both times; when it is looked again, the half of it.
    fn expect(&mut self) -> Option<Reach> {
        let [Some(last), Some(before)] = self.earlier else { return None };
        let reach = Reach { before: last.before.min(before.before), after: last.after.min(before.after) };
        self.expected += 1;
        if self.expected < AGAIN {
            return Some(reach);
        }
        self.expected = 0;
        self.part = Some((reach.before + reach.after) / PARTS);
        Some(Reach { before: reach.before / 2, after: reach.after.div_ceil(2) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bring(window: &mut FaultWindow, page: usize) -> Range<usize> {
        let pages = window.around(page);
        window.brought(&pages);
        pages
    }

    /// Accesses these pages, of which none is there; how often some are brought.
    fn access(window: &mut FaultWindow, pages: impl Iterator<Item = usize>) -> usize {
        let mut there: Vec<Range<usize>> = vec![];
        for page in pages {
            if !there.iter().any(|range| range.contains(&page)) {
                there.push(bring(window, page));
            }
        }
        there.len()
    }

    #[test]
    fn what_runs_on_comes_in_large_pieces() {
        assert!(access(&mut FaultWindow::default(), 0..1 << 18) < 300);
    }

    #[test]
    fn rows_with_padding_run_on() {
        assert!(access(&mut FaultWindow::default(), (0..1 << 12).map(|row| 4 * row)) < 32);
    }

    #[test]
    fn what_runs_on_is_read_ahead_until_the_next_launch() {
        let mut window = FaultWindow::default();
        assert!(window.ahead(1 << 18).is_empty());
        access(&mut window, 0..1000);
        let (got, first) = (window.next, window.ahead(1 << 18));
        assert_eq!((first.start, first.len()), (got, AHEAD));
        let mut last = first;
        while !window.ahead(1 << 18).is_empty() {
            last = window.ahead(1 << 18);
            window.went_ahead(&last);
        }
        assert_eq!(last.end, got * (1 + FAR));
        // The host has got there, and goes on.
        bring(&mut window, last.end);
        assert!(!window.ahead(1 << 18).is_empty());
        assert!(window.ahead(window.next).is_empty());
        window.launched();
        assert!(window.ahead(1 << 18).is_empty());
    }

    #[test]
    fn a_single_element_comes_alone() {
        let mut window = FaultWindow::default();
        for page in [900, 7, 8, 300] {
            assert_eq!(bring(&mut window, page), page..page + 1);
            window.launched();
        }
    }

    #[test]
    fn further_elements_bring_what_lies_around_them() {
        let mut window = FaultWindow::default();
        assert_eq!([900, 7, 300].map(|page| bring(&mut window, page)), [900..901, 0..16, 288..304]);
        let many = |n: usize| n * 1000;
        assert!((0..100).map(|n| bring(&mut window, many(n)).len()).sum::<usize>() < 100 << 7);
    }

    #[test]
    fn what_is_accessed_again_and_again_comes_at_once() {
        let mut window = FaultWindow::default();
        // Rows of two pages, of which the first is accessed; further down each time.
        let mut times = vec![];
        for step in 0..30 {
            times.push(access(&mut window, (0..128).map(|row| 32 * step + row * 2)));
            window.launched();
        }
        assert!(times[0] > 3 && times[2..16].iter().all(|n| *n == 1), "{times:?}");
        assert!(times.iter().filter(|n| **n == 1).count() > 24, "{times:?}");
    }

    #[test]
    fn looking_again_takes_few_accesses_and_finds_how_far_they_get() {
        let mut window = FaultWindow::default();
        let window_of_rows = || (0..128).map(|row| 7 + row * 2);
        let mut times = vec![];
        for _ in 0..200 {
            times.push(access(&mut window, window_of_rows()));
            window.launched();
        }
        assert!(times[2..].iter().all(|n| *n < PARTS), "{times:?}");
        assert!(times.iter().filter(|n| **n > 1).count() < 200 / 16 + 4, "{times:?}");
        assert!(bring(&mut window, 7).len() < 256 + 256 / PARTS);
    }

    #[test]
    fn what_is_no_longer_accessed_is_soon_not_expected() {
        let mut window = FaultWindow::default();
        for step in 0..140 {
            let n = if step < 100 { 1000 } else { 1 };
            access(&mut window, 0..n);
            window.launched();
        }
        assert_eq!(bring(&mut window, 0), 0..1);
    }

    #[test]
    fn all_of_an_array_once_is_not_expected_again() {
        let mut window = FaultWindow::default();
        for step in 0..10 {
            access(&mut window, if step == 5 { 0..1000 } else { 0..1 });
            window.launched();
        }
        assert_eq!(bring(&mut window, 0), 0..1);
    }
}
