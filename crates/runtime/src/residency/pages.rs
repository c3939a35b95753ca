//! Which side is current, for each page of an object; the pages' protection follows.

use std::ops::Range;
use std::sync::OnceLock;

/// Bytes of a page.
pub fn page() -> usize {
    static PAGE: OnceLock<usize> = OnceLock::new();
    // SAFETY: a plain question.
    *PAGE.get_or_init(|| usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096))
}

/// The side that has the page's contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Current {
    Host,
    Both,
    Device,
}

impl Current {
    pub fn protection(self) -> i32 {
        match self {
            Current::Host => libc::PROT_READ | libc::PROT_WRITE,
            Current::Both => libc::PROT_READ,
            Current::Device => libc::PROT_NONE,
        }
    }
}

pub struct Pages {
    /// The address of the first.
    first: usize,
    states: Vec<Current>,
    /// How many of them are in each state.
    counts: [usize; 3],
}

impl Pages {
    /// All of them are the host's.
    pub fn new(range: &Range<usize>) -> Pages {
        let n = range.len() / page();
        Pages { first: range.start, states: vec![Current::Host; n], counts: [n, 0, 0] }
    }

    /// The numbers of the pages that have some of these bytes.
    pub fn around(&self, bytes: &Range<usize>) -> Range<usize> {
        let (begin, end) = (bytes.start.max(self.first), bytes.end.max(self.first));
        let number = |address: usize| (address - self.first) / page();
        let last = (end + page() - 1 - self.first) / page();
        let last = last.min(self.states.len());
        if bytes.is_empty() { 0..0 } else { number(begin).min(last)..last }
    }

    /// The numbers of the pages that have nothing but these bytes, or lie behind them.
    pub fn inside(&self, bytes: &Range<usize>, object_end: usize) -> Range<usize> {
        let around = self.around(bytes);
        let (mut begin, mut end) = (around.start, around.end);
        if begin < end && self.address(begin) < bytes.start {
            begin += 1;
        }
        if begin < end && self.address(end) > bytes.end && bytes.end < object_end {
            end -= 1;
        }
        begin..end
    }

    pub fn address(&self, number: usize) -> usize {
        self.first + number * page()
    }

    /// The addresses of pages.
    pub fn addresses(&self, run: &Range<usize>) -> Range<usize> {
        self.address(run.start)..self.address(run.end)
    }

    /// The number of the page around an address, if it is one of these.
    pub fn number(&self, address: usize) -> Option<usize> {
        let number = address.checked_sub(self.first)? / page();
        (number < self.states.len()).then_some(number)
    }

    pub fn state(&self, number: usize) -> Current {
        self.states[number]
    }

    pub fn all(&self) -> Range<usize> {
        0..self.states.len()
    }

    /// True where every page is in this state.
    pub fn all_are(&self, state: Current) -> bool {
        self.counts[state as usize] == self.states.len()
    }

    pub fn has(&self, state: Current) -> bool {
        self.counts[state as usize] > 0
    }

    /// The next run of pages in this state.
    pub fn next_run(&self, within: &Range<usize>, state: Current) -> Option<Range<usize>> {
        if !self.has(state) {
            return None;
        }
        let states = &self.states[within.clone()];
        let begin = position(states, |s| s == state)?;
        let length = position(&states[begin..], |s| s != state).unwrap_or(states.len() - begin);
        Some(within.start + begin..within.start + begin + length)
    }

    /// The pages around one, within others, that are in the same state.
    pub fn run_around(&self, number: usize, within: &Range<usize>) -> Range<usize> {
        let state = self.states[number];
        let (first, end) = (within.start.min(number), within.end.clamp(number + 1, self.states.len()));
        let before = self.states[first..number].iter().rev().take_while(|s| **s == state).count();
        let after = position(&self.states[number..end], |s| s != state).unwrap_or(end - number);
        number - before..number + after
    }

    /// The next run of pages in another state.
    pub fn next_run_not(&self, within: &Range<usize>, state: Current) -> Option<Range<usize>> {
        if self.all_are(state) {
            return None;
        }
        let states = &self.states[within.clone()];
        let begin = position(states, |s| s != state)?;
        let length = position(&states[begin..], |s| s == state).unwrap_or(states.len() - begin);
        Some(within.start + begin..within.start + begin + length)
    }

    /// The pages get this state and its protection. False where the system refuses, which has too many stretches of memory to keep.
    #[must_use]
    pub fn set(&mut self, run: Range<usize>, state: Current) -> bool {
        let done = protect(&self.addresses(&run), state);
        if done {
            self.note(run, state);
        }
        done
    }

    /// As [`Pages::set`], where the protection is right already.
    pub fn note(&mut self, run: Range<usize>, state: Current) {
        super::recent::new_epoch();
        for page in &mut self.states[run] {
            self.counts[*page as usize] -= 1;
            self.counts[state as usize] += 1;
            *page = state;
        }
    }
}

/// The first state of which this holds. Large arrays have hundreds of thousands, so many are looked at in one go.
fn position(states: &[Current], holds: impl Fn(Current) -> bool) -> Option<usize> {
    const AT_ONCE: usize = 64;
    let any = |chunk: &[Current]| chunk.iter().fold(false, |any, s| any | holds(*s));
    let chunk = states.chunks(AT_ONCE).position(any)?;
    let inside = states[chunk * AT_ONCE..].iter().position(|s| holds(*s))?;
    Some(chunk * AT_ONCE + inside)
}

fn protect(range: &Range<usize>, state: Current) -> bool {
    // SAFETY: whole pages that hold nothing but an object, which nobody unmaps before it is freed.
    range.is_empty() || unsafe { libc::mprotect(range.start as *mut _, range.len(), state.protection()) } == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(n: usize) -> Pages {
        Pages::new(&(page()..page() * (n + 1)))
    }

    #[test]
    fn pages_around_and_inside() {
        let pages = pages(8);
        let at = |n: usize| page() * (n + 1);
        assert_eq!(pages.around(&(at(1) + 5..at(3) + 1)), 1..4);
        assert_eq!(pages.inside(&(at(1) + 5..at(3) + 1), at(8)), 2..3);
        assert_eq!(pages.inside(&(at(1)..at(3)), at(8)), 1..3);
        assert_eq!(pages.inside(&(at(7)..at(7) + 9), at(7) + 9), 7..8);
        assert_eq!(pages.around(&(0..at(1))), 0..1);
        assert!(pages.around(&(at(2)..at(2))).is_empty());
        assert!(pages.around(&(0..9)).is_empty());
    }

    #[test]
    fn runs_of_one_state() {
        let mut pages = pages(8);
        pages.note(2..4, Current::Both);
        assert_eq!(pages.next_run(&(0..8), Current::Host), Some(0..2));
        assert_eq!(pages.next_run(&(2..8), Current::Host), Some(4..8));
        assert_eq!(pages.next_run_not(&(0..8), Current::Host), Some(2..4));
        assert_eq!(pages.next_run(&(0..8), Current::Device), None);
        assert_eq!(pages.run_around(6, &(0..99)), 4..8);
        assert_eq!(pages.run_around(3, &(3..7)), 3..4);
        assert_eq!(pages.run_around(1, &(5..5)), 1..2);
    }
}
