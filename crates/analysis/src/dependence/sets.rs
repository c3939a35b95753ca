//! The integer set of conflicting iteration pairs, as text for isl.
//!
//! Variables: the loop's iteration twice (`x` and `y`), and for each access the loops inside it. Everything fixed
//! during the loop is a parameter: invariants, products of invariants, and the variables of the loops around.

use crate::access::{Access, LoopInfo};
use crate::affine::{Atom, Monomial, Poly, Polys};
use crate::data::Summary;
use accl_ir::Compare;
use std::collections::BTreeMap;

/// isl gives up after this many operations, and the answer is "not known".
const EFFORT: u64 = 2_000_000;

pub struct Sets<'s, 'a> {
    summary: &'s Summary<'a>,
    /// What each atom is called at the two accesses.
    names: [BTreeMap<Atom, String>; 2],
    params: BTreeMap<Monomial, String>,
    variables: Vec<String>,
    /// The bounds of the loops.
    domain: Vec<String>,
    /// Equal subscripts.
    equalities: Vec<String>,
    /// Side conditions: the set with these must be empty.
    proofs: Vec<String>,
}

impl<'s, 'a> Sets<'s, 'a> {
    /// The iteration domain of both accesses. `None` where a bound is not affine.
    pub fn new(
        summary: &'s Summary<'a>,
        polys: &Polys<'_>,
        index: usize,
        a: &Access,
        b: &Access,
    ) -> Option<Self> {
        let mut sets = Sets {
            summary,
            names: [BTreeMap::new(), BTreeMap::new()],
            params: BTreeMap::new(),
            variables: vec![],
            domain: vec![],
            equalities: vec![],
            proofs: vec![],
        };
        for (side, access) in [a, b].into_iter().enumerate() {
            sets.add_domain(polys, index, side, access)?;
        }
        Some(sets)
    }

    fn add_domain(&mut self, polys: &Polys<'_>, index: usize, side: usize, access: &Access) -> Option<()> {
        let at = access.loops.iter().position(|l| *l == index)?;
        for l in &access.loops[..at] {
            let var = self.summary.accesses.loops[*l].var;
            self.params.insert(vec![Atom::Local(var)], format!("o{l}"));
        }
        // All names first: a bound may use an outer one only, but a name must not be a parameter by then.
        for (depth, l) in access.loops[at..].iter().enumerate() {
            let name =
                if depth == 0 { ["x", "y"][side].to_owned() } else { format!("{}{l}", ["a", "b"][side]) };
            let var = self.summary.accesses.loops[*l].var;
            self.names[side].insert(Atom::Local(var), name.clone());
            self.variables.push(name);
        }
        for l in &access.loops[at..] {
            let info = self.summary.accesses.loops[*l].clone();
            self.bounds(polys, side, &info)?;
        }
        Some(())
    }

    fn bounds(&mut self, polys: &Polys<'_>, side: usize, info: &LoopInfo) -> Option<()> {
        let name = self.names[side].get(&Atom::Local(info.var))?.clone();
        let lower = self.affine(side, &polys.poly(info.lower))?;
        let bound = self.affine(side, &polys.poly(info.bound))?;
        let known = polys.poly(info.step).as_constant();
        let down = matches!(info.compare, Compare::Gt | Compare::Ge);
        let step = known.unwrap_or(if down { -1 } else { 1 });
        let (start, end) = match (info.compare, step > 0) {
            (Compare::Lt, true) => (">=", "<"),
            (Compare::Le, true) => (">=", "<="),
            (Compare::Gt, false) => ("<=", ">"),
            (Compare::Ge, false) => ("<=", ">="),
            (Compare::Ne, true) => (">=", "<"),
            (Compare::Ne, false) => ("<=", ">"),
            _ => return None,
        };
        self.domain.push(format!("{name} {start} {lower} and {name} {end} {bound}"));
        if step.abs() != 1 {
            let k = format!("k{}", self.variables.len());
            self.variables.push(k.clone());
            self.domain.push(format!("{name} = {lower} + {step} {k}"));
        }
        Some(())
    }

    /// Changes while the loop runs.
    pub fn varies(&self, a: Atom) -> bool {
        self.names.iter().any(|n| n.contains_key(&a))
    }

    pub fn equal(&mut self, p: &Poly, q: &Poly) -> Option<()> {
        let (p, q) = (self.affine(0, p)?, self.affine(1, q)?);
        self.equalities.push(format!("{p} = {q}"));
        Some(())
    }

    /// Both parts must be proven to lie in [0, ratio).
    pub fn stays_below(&mut self, p: &Poly, q: &Poly, ratio: &Monomial) -> Option<()> {
        let ratio = self.param(ratio)?;
        for (side, part) in [p, q].into_iter().enumerate() {
            let part = self.affine(side, part)?;
            self.proofs.push(format!("({part} < 0 or {part} >= {ratio})"));
        }
        Some(())
    }

    /// A polynomial as isl's affine text.
    fn affine(&mut self, side: usize, p: &Poly) -> Option<String> {
        let mut text = String::from("0");
        for (m, c) in &p.terms {
            let varying = m.iter().filter(|a| self.varies(**a)).count();
            let name = match (m.as_slice(), varying) {
                ([], _) => "1".to_owned(),
                ([a], 1) => self.names[side].get(a)?.clone(),
                (_, 0) => self.param(m)?,
                _ => return None,
            };
            text += &format!(" + {c} * {name}");
        }
        Some(format!("({text})"))
    }

    fn param(&mut self, m: &Monomial) -> Option<String> {
        if let Some(name) = self.params.get(m) {
            return Some(name.clone());
        }
        let known = |a: &Atom| self.summary.is_fixed(*a) || self.params.contains_key(&vec![*a]);
        if m.is_empty() {
            return Some("1".into());
        }
        if !m.iter().all(known) {
            return None;
        }
        let name = format!("p{}", self.params.len());
        self.params.insert(m.clone(), name.clone());
        Some(name)
    }

    /// Whether some pair of different iterations meets. `None`: a side condition fails, or isl gave up.
    pub fn can_meet(&self) -> Option<bool> {
        for proof in &self.proofs {
            if !self.is_empty(&[self.domain.as_slice(), std::slice::from_ref(proof)].concat())? {
                return None;
            }
        }
        let different = vec!["(x < y or x > y)".to_owned()];
        Some(!self.is_empty(&[self.domain.as_slice(), &self.equalities, &different].concat())?)
    }

    fn is_empty(&self, constraints: &[String]) -> Option<bool> {
        let params: Vec<&str> = self.params.values().map(String::as_str).collect();
        let text = format!(
            "[{}] -> {{ [{}] : {} }}",
            params.join(","),
            self.variables.join(","),
            constraints.join(" and ")
        );
        let context = isl_rs::Context::alloc();
        context.set_max_operations(EFFORT);
        isl_rs::Set::read_from_str(&context, &text).ok()?.is_empty().ok()
    }
}
