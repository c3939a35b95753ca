//! The one place where passes ask for facts about a construct.
//!
//! A [`Summary`] is computed when it is first asked for. It is kept until a pass changes what it rests on and says
//! so with [`Analyses::forget`]: the construct's statements and the expressions in them, its private clauses, and
//! which structures and members data clauses name. Debug builds compute a kept summary once more and compare the
//! two, so that any test that runs a pass which forgets to say so finds it.

use crate::data::{self, Facts, Summary, Surroundings};
use accl_ir::{Body, Function, Handle, Module, Region};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A construct: the function it stands in, and its number among the function's regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Construct {
    pub function: Handle<Function>,
    pub index: usize,
}

/// What is known about the constructs of one module.
#[derive(Default)]
pub struct Analyses {
    constructs: RefCell<BTreeMap<Construct, Facts>>,
}

impl Analyses {
    /// As [`data::of_region`].
    pub fn summary<'a>(
        &self,
        construct: Construct,
        module: &'a Module,
        body: &'a Body,
        region: &Region,
        around: &Surroundings,
    ) -> Summary<'a> {
        let known = self.constructs.borrow().get(&construct).cloned();
        if let Some(facts) = known {
            debug_assert_eq!(
                format!("{facts:?}"),
                format!("{:?}", data::of_region(module, body, region, around).facts()),
                "a pass has changed construct {construct:?} without a word"
            );
            return Summary::new(module, body, region, around, facts);
        }
        let summary = data::of_region(module, body, region, around);
        self.constructs.borrow_mut().insert(construct, summary.facts());
        summary
    }

    /// A pass has changed the construct.
    pub fn forget(&self, construct: Construct) {
        self.constructs.borrow_mut().remove(&construct);
    }

    /// A pass has changed several constructs, or has added or removed some.
    pub fn forget_all(&self) {
        self.constructs.borrow_mut().clear();
    }
}
