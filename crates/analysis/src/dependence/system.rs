//! Integer sets as rows of coefficients, and what isl says about them.
//!
//! A set is a conjunction of affine equalities and inequalities over variables and parameters, both known by number
//! only. References of the same form give the same rows whatever their variables are called, so each form is asked
//! about once. isl gets the rows through its interface, never as text. It may use a limited number of operations
//! for each question, and each construct may ask a limited number of questions. Past either limit the answer is
//! "not known".

use isl_rs::{BasicSet, Constraint, Context, DimType, LibISLError, LocalSpace, Options, Space, Val};
use std::collections::{BTreeMap, HashMap};

/// isl gives up on a question after this many operations.
const EFFORT: u64 = 500_000;

/// How many different questions a construct may ask.
const QUESTIONS: usize = 2_000;

/// `ISL_ON_ERROR_CONTINUE`: an exhausted budget is an answer, not something to write to standard error.
const CONTINUE: i32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    Variable(usize),
    Parameter(usize),
}

/// `Σ coefficient · column + constant`, which is 0 in an equality and at least 0 in an inequality.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row {
    pub terms: BTreeMap<Column, i128>,
    pub constant: i128,
    pub is_equality: bool,
}

impl Row {
    pub fn add(&mut self, column: Column, coefficient: i128) {
        let sum = self.terms.entry(column).or_default();
        *sum = sum.saturating_add(coefficient);
        if *sum == 0 {
            self.terms.remove(&column);
        }
    }

    /// This plus `factor` times the other one.
    pub fn plus(mut self, other: &Row, factor: i128) -> Row {
        for (column, c) in &other.terms {
            self.add(*column, c.saturating_mul(factor));
        }
        self.constant = self.constant.saturating_add(other.constant.saturating_mul(factor));
        self
    }

    pub fn plus_constant(mut self, c: i128) -> Row {
        self.constant = self.constant.saturating_add(c);
        self
    }

    pub fn equality(self) -> Row {
        Row { is_equality: true, ..self }
    }
}

/// Answers questions about sets, each once.
#[derive(Default)]
pub struct Oracle {
    answers: HashMap<Vec<Row>, Option<bool>>,
    /// A question had to stay unanswered because isl ran out of operations.
    pub exhausted: bool,
}

impl Oracle {
    /// Whether no integer point satisfies all rows; `None`: not known.
    pub fn is_empty(&mut self, rows: Vec<Row>) -> Option<bool> {
        if let Some(known) = self.answers.get(&rows) {
            return *known;
        }
        let answer = if self.answers.len() < QUESTIONS { ask(&rows) } else { None };
        self.exhausted |= answer.is_none();
        self.answers.insert(rows, answer);
        answer
    }
}

fn ask(rows: &[Row]) -> Option<bool> {
    // A number that isl's interface cannot take is no reason to guess.
    let fits = |n: &i128| i64::try_from(*n).is_ok();
    if !rows.iter().all(|r| fits(&r.constant) && r.terms.values().all(fits)) {
        return None;
    }
    is_empty(rows).ok()
}

fn is_empty(rows: &[Row]) -> Result<bool, LibISLError> {
    let (mut variables, mut parameters) = (0, 0);
    for column in rows.iter().flat_map(|r| r.terms.keys()) {
        match column {
            Column::Variable(n) => variables = variables.max(n + 1),
            Column::Parameter(n) => parameters = parameters.max(n + 1),
        }
    }
    let context = Context::alloc();
    Options::set_on_error(&context, CONTINUE)?;
    context.set_max_operations(EFFORT);
    let space = Space::set_alloc(&context, parameters as u32, variables as u32)?;
    let mut set = BasicSet::universe(space.copy()?)?;
    for row in rows {
        set = set.add_constraint(constraint(&context, &space, row)?)?;
    }
    set.is_empty()
}

fn constraint(context: &Context, space: &Space, row: &Row) -> Result<Constraint, LibISLError> {
    let local = LocalSpace::from_space(space.copy()?)?;
    let mut made = match row.is_equality {
        true => Constraint::alloc_equality(local)?,
        false => Constraint::alloc_inequality(local)?,
    };
    let value = |n: i128| Val::int_from_si(context, n as i64);
    for (column, c) in &row.terms {
        let (kind, at) = match column {
            Column::Variable(n) => (DimType::Set, *n),
            Column::Parameter(n) => (DimType::Param, *n),
        };
        made = made.set_coefficient_val(kind, at as i32, value(*c)?)?;
    }
    made.set_constant_val(value(row.constant)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(terms: &[(usize, i128)], constant: i128) -> Row {
        let mut row = Row { constant, ..Row::default() };
        terms.iter().for_each(|(v, c)| row.add(Column::Variable(*v), *c));
        row
    }

    #[test]
    fn integers_between_and_beside() {
        let mut oracle = Oracle::default();
        // 2x = 2y + 1 has no integers; 2x = 2y + 2 has.
        assert_eq!(oracle.is_empty(vec![row(&[(0, 2), (1, -2)], -1).equality()]), Some(true));
        assert_eq!(oracle.is_empty(vec![row(&[(0, 2), (1, -2)], -2).equality()]), Some(false));
        // 0 <= x < n and x >= n
        let mut below = row(&[(0, -1)], -1);
        below.add(Column::Parameter(0), 1);
        let mut above = row(&[(0, 1)], 0);
        above.add(Column::Parameter(0), -1);
        assert_eq!(oracle.is_empty(vec![row(&[(0, 1)], 0), below, above]), Some(true));
    }

    #[test]
    fn a_hard_question_ends() {
        // A market split problem: equalities with large coefficients that nothing but a search answers.
        let mut rows = vec![];
        for k in 0..4 {
            let mut equality = Row { constant: -(4321 * 6 + k), is_equality: true, ..Row::default() };
            for v in 0..26 {
                let coefficient = (v as i128 * 7919 + k * 104_729 + (v as i128 * v as i128 * 31)) % 9973;
                equality.add(Column::Variable(v), coefficient);
            }
            rows.push(equality);
        }
        for v in 0..26 {
            rows.push(row(&[(v, 1)], 0));
            rows.push(row(&[(v, -1)], 1));
        }
        let mut oracle = Oracle::default();
        let start = std::time::Instant::now();
        let answer = oracle.is_empty(rows);
        assert!(start.elapsed().as_secs() < 60, "{answer:?}");
        assert_eq!(oracle.exhausted, answer.is_none());
    }
}
