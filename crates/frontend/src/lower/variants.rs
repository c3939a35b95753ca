//! Which function a call in device code means, where `declare variant` names others (OpenMP 5.2 §7.5).

use super::context::Context;
use super::scope::short_name;
use super::walk;
use super::{Lowered, expr::unsupported};
use crate::ast::{DeclId, Function, Stmt, StmtKind};
use crate::resolve::selector::World;
use crate::resolve::variants::{Variant, best};
use crate::resolve::{Constructs, constructs_around};
use accl_source::Span;

/// The variants of a file, and the constructs that their selectors can name.
#[derive(Default)]
pub struct Variants {
    all: Vec<Variant>,
    constructs: Constructs,
}

impl Variants {
    pub fn new(all: &[Variant], buffer: &str) -> Variants {
        match all.is_empty() {
            true => Variants::default(),
            false => Variants { all: all.to_vec(), constructs: Constructs::of(buffer) },
        }
    }
}

impl Context<'_> {
    /// The function that is called in place of this one.
    pub fn variant_of(&self, id: DeclId, span: Span) -> Lowered<DeclId> {
        let variants = &self.variants;
        if variants.all.is_empty() {
            return Ok(id);
        }
        let Some(base) = self.function_decl(id) else { return Ok(id) };
        let mut constructs = constructs_around(&variants.constructs, span.start as usize);
        // A function that is called on a device is one for devices.
        if !constructs.iter().any(|name| name == "target") {
            constructs.insert(0, "target".to_owned());
        }
        let world = World { on_device: true, constructs, requires: vec![] };
        // One that no device code can be made of, such as assembly for one GPU or a function of a library, is passed over.
        let usable = |v: &&Variant| named(self, &v.variant, base).is_some_and(is_for_devices);
        let found = best(variants.all.iter().filter(usable), short_name(&base.name), &world);
        match found.map_err(|reason| unsupported(&reason, span))? {
            None => Ok(id),
            Some((_, conditions)) if !conditions.is_empty() => {
                Err(unsupported("a variant that is chosen while the program runs", span))
            }
            Some((variant, _)) => match named(self, &variant.variant, base) {
                Some(function) => Ok(function.id),
                None => Err(unsupported("a variant that is no function of this file", span)),
            },
        }
    }
}

/// The function with this name that takes what the other takes.
fn named<'p>(cx: &Context<'p>, name: &str, base: &Function) -> Option<&'p Function> {
    let fits = |f: &&Function| short_name(&f.name) == short_name(name) && f.params.len() == base.params.len();
    let candidates = || cx.program.functions.iter().filter(fits);
    let same = |f: &&Function| f.params.iter().zip(&base.params).all(|(a, b)| a.ty == b.ty);
    let known = |f: &Function| cx.function_decl(f.id);
    candidates().find(same).or_else(|| candidates().next()).and_then(known)
}

fn is_for_devices(function: &Function) -> bool {
    fn is_known(stmt: &Stmt) -> bool {
        !matches!(stmt.kind, StmtKind::Unsupported(..)) && walk::children(stmt).into_iter().all(is_known)
    }
    function.body.as_ref().is_some_and(is_known)
}
