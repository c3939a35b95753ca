//! The user's names, changed only where the language does not allow them.

use super::usage::Usage;
use accl_ir::{Body, Handle, Local};
use std::collections::BTreeSet;

/// The names of one body's locals, indexed by handle; empty for locals that need none.
#[derive(Clone, Debug, Default)]
pub struct Names {
    locals: Vec<String>,
    taken: BTreeSet<String>,
    /// Prefixes that no name may have.
    families: Vec<&'static str>,
}

impl Names {
    /// `reserved`: keywords and the other names that the text uses; `first` get their names first.
    pub fn assign(
        body: &Body,
        usage: &Usage,
        first: &[Handle<Local>],
        reserved: impl IntoIterator<Item = String>,
        families: Vec<&'static str>,
    ) -> Names {
        let (locals, taken) = (vec![String::new(); body.locals.len()], reserved.into_iter().collect());
        let mut names = Names { locals, taken, families };
        let rest = body.locals.handles().filter(|l| usage.is_named(*l) && !first.contains(l));
        for local in first.iter().copied().chain(rest) {
            let name = names.fresh(&body.locals[local].name);
            names.locals[local.index()] = name;
        }
        names
    }

    pub fn local(&self, local: Handle<Local>) -> &str {
        &self.locals[local.index()]
    }

    pub fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// A name that nothing else has, as close to `wish` as possible.
    pub fn fresh(&mut self, wish: &str) -> String {
        let wish = identifier(wish);
        let family = self.families.iter().find(|family| wish.starts_with(**family));
        let name = std::iter::once(wish.clone())
            .chain(std::iter::once(format!("{wish}_")))
            .chain((2..).map(|n| format!("{wish}_{n}")))
            .find(|name| !self.taken.contains(name) && (family.is_none() || *name != wish))
            .unwrap_or(wish);
        self.taken.insert(name.clone());
        name
    }
}

/// `text`, with underscores in place of all characters that C does not allow in identifiers.
pub fn identifier(text: &str) -> String {
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}
