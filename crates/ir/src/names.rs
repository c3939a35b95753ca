//! The names that a body's locals have taken.
//!
//! Passes make thousands of locals with the same few stems. The index follows the arena, which only grows, so that a
//! free name takes no walk over all of it.

use crate::{Arena, Handle, Local};
use std::collections::HashMap;
use std::sync::Mutex;

/// Fills itself from the locals it is asked about.
#[derive(Debug, Default)]
pub struct NameIndex(Mutex<Names>);

#[derive(Debug, Default)]
struct Names {
    /// How many locals have been looked at.
    seen: usize,
    /// Each name taken, with the smallest number that may be free after it.
    taken: HashMap<String, usize>,
}

impl Clone for NameIndex {
    /// A copy of a body gets an index of its own.
    fn clone(&self) -> Self {
        NameIndex::default()
    }
}

impl NameIndex {
    /// `stem`, or `stem_2`, …: the first that no local has.
    pub fn free(&self, locals: &Arena<Local>, stem: &str) -> String {
        let mut names = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if locals.len() < names.seen {
            *names = Names::default();
        }
        for i in names.seen..locals.len() {
            names.taken.entry(locals[Handle::from_index(i)].name.clone()).or_insert(2);
        }
        names.seen = locals.len();
        let Some(mut n) = names.taken.get(stem).copied() else { return stem.to_owned() };
        let mut name = format!("{stem}_{n}");
        while names.taken.contains_key(&name) {
            n += 1;
            name = format!("{stem}_{n}");
        }
        names.taken.insert(stem.to_owned(), n);
        name
    }
}
