//! How many pages one access of the host brings: one at first, more where accesses run on, or come again and again.

/// Accesses that follow one another before more than one page is brought at a time.
const RUN: u32 = 4;
/// 2^13 pages, 32 MiB, at most.
const LONGEST: u32 = 13;
/// So many accesses anywhere, since a kernel wrote the object, double the pages that each one brings.
const SCATTERED: u32 = 32;

#[derive(Default)]
pub struct FaultWindow {
    /// The page after the last one brought.
    next: usize,
    /// How often accesses followed one another.
    run: u32,
    /// How often pages were brought since the last launch.
    faults: u32,
}

impl FaultWindow {
    /// The number of pages that an access to this one brings.
    pub fn length(&mut self, page: usize) -> usize {
        self.run = if page == self.next && self.faults > 0 { self.run + 1 } else { 0 };
        self.faults += 1;
        let by_run = if self.run < RUN { 0 } else { (self.run - RUN + 2).min(LONGEST) };
        1 << by_run.max((self.faults / SCATTERED).min(LONGEST))
    }

    pub fn ends_at(&mut self, page: usize) {
        self.next = page;
    }

    pub fn launched(&mut self) {
        self.faults = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bring(window: &mut FaultWindow, page: usize) -> usize {
        let length = window.length(page);
        window.ends_at(page + length);
        length
    }

    #[test]
    fn what_runs_on_comes_in_large_pieces() {
        let mut window = FaultWindow::default();
        let (mut page, mut times) = (0, 0);
        while page < 1 << 18 {
            page += bring(&mut window, page);
            times += 1;
        }
        assert!(times < 60, "{times}");
    }

    #[test]
    fn a_few_elements_come_alone() {
        let mut window = FaultWindow::default();
        assert_eq!([900, 7, 8, 300].map(|page| bring(&mut window, page)), [1; 4]);
        assert!((0..100).map(|n| bring(&mut window, n * 1000)).sum::<usize>() < 400);
    }
}
