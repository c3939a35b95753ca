//! Blocks and threads of a launch, as texts in the function that launches.

use super::launch::Launch;
use super::{Input, PortLanguage};
use accl_ir::{
    BinaryOp, Body, Compare, Dim, Expr, ExprKind, GridRule, Handle, Kernel, Loop, TypeKind, visit,
};

/// Extents of grid and block, dimension by dimension, and the conditions under which there is anything to do.
pub struct Grid {
    pub lines: Vec<String>,
    pub blocks: [String; 3],
    pub threads: [String; 3],
    /// Conditions under which nothing is launched.
    pub empty: Vec<String>,
}

/// `symbol + add`; no symbol: a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    pub symbol: Option<String>,
    pub add: i128,
}

/// The number of blocks of a kernel for which no clause gives the number of gangs.
const GANGS: &str = "1024";
/// The limit of the grid in x without num_gangs, and CUDA's limit in y and z.
const MOST_GANGS: i128 = 1 << 20;
const MOST_YZ: i128 = 65535;

pub fn of(input: &Input, launch: &Launch) -> Grid {
    let kernel = &input.module.kernels[launch.kernel];
    let variant = kernel.variants.last();
    let mut threads = variant.map_or([1; 3], |v| v.block).map(|t| t.to_string());
    if variant.is_some_and(|v| v.vector_x)
        && let Some(name) = &launch.vector_length
    {
        match kernel.dims.len() {
            0 | 1 => threads[0] = name.clone(),
            _ => {
                threads = [
                    format!("({name} < 32 ? {name} : 32)"),
                    format!("({name} < 64 ? 1 : {name} / 32)"),
                    "1".into(),
                ];
            }
        }
    }
    if let (Some(v), Some(name)) = (variant.filter(|v| v.workers_y), &launch.num_workers) {
        threads[1] = format!("({name} < {0} ? {name} : {0})", v.block[1]);
    }
    let mut grid =
        Grid { lines: Vec::new(), blocks: ["1", "1", "1"].map(str::to_owned), threads, empty: Vec::new() };
    if kernel.gangs && !kernel.serial {
        grid.blocks[0] = gangs(kernel, launch).unwrap_or_else(|| GANGS.to_owned());
    }
    for (d, dim) in kernel.dims.iter().enumerate() {
        let trips = trips(input, kernel, launch, d, dim, &mut grid.lines);
        let blocks = blocks(input, kernel, launch, dim, d, &trips, &grid.threads[d]);
        grid.blocks[d] = limited(input, kernel, launch, d, blocks, &mut grid);
        let empty = trips.at_most_zero().filter(|e| !grid.empty.contains(e));
        grid.empty.extend(empty);
    }
    grid
}

/// As in the runtime: with num_gangs the grid has no more blocks than that.
fn limited(
    input: &Input,
    kernel: &Kernel,
    launch: &Launch,
    d: usize,
    blocks: String,
    grid: &mut Grid,
) -> String {
    let trips = kernel.dims.iter().all(|dim| dim.rule == GridRule::Trips);
    let Some(gangs) = gangs(kernel, launch).filter(|_| trips || kernel.dims.len() > 1) else { return blocks };
    let name = |d: usize| format!("gangs_{}", ["x", "y", "z"][d]);
    let mut line = |name: &str, text: String| grid.lines.push(format!("const long {name} = {text};"));
    if d == 0 && kernel.dims.len() == 1 {
        return smaller(input, &blocks, &gangs);
    }
    if d == 0 {
        line(&name(0), smaller(input, &blocks, &gangs));
        return name(0);
    }
    // A loop without iterations has no blocks.
    let before: Vec<String> = grid.blocks[..d].iter().map(|b| format!("({b} > 1 ? {b} : 1)")).collect();
    let before = before.join(" / ");
    line(&name(d), at_least_one(input, &format!("{gangs} / {before}")));
    smaller(input, &blocks, &name(d))
}

fn smaller(input: &Input, a: &str, b: &str) -> String {
    match (a.parse::<i128>(), b.parse::<i128>()) {
        (Ok(a), Ok(b)) => a.min(b).to_string(),
        _ if input.target == PortLanguage::Cuda => format!("min({}, {})", long(a), long(b)),
        _ => format!("{a} < {b} ? {a} : {b}"),
    }
}

fn at_least_one(input: &Input, text: &str) -> String {
    match input.target {
        PortLanguage::Cuda => format!("max({}, 1L)", long(text)),
        PortLanguage::OpenCl | PortLanguage::C => format!("({text} > 1 ? {text} : 1)"),
    }
}

fn gangs(kernel: &Kernel, launch: &Launch) -> Option<String> {
    let constant = kernel.num_gangs.as_ref().and_then(|e| e.value).map(|n| n.to_string());
    constant.or_else(|| launch.num_gangs.clone())
}

fn blocks(
    input: &Input,
    kernel: &Kernel,
    launch: &Launch,
    dim: &Dim,
    d: usize,
    trips: &Linear,
    threads: &str,
) -> String {
    let most = if d == 0 { MOST_GANGS } else { MOST_YZ };
    match dim.rule {
        GridRule::Trips => {
            let text = trips.divided(threads);
            if d > 0 && input.target == PortLanguage::Cuda {
                text.at_most(MOST_YZ, input)
            } else {
                text.text()
            }
        }
        GridRule::Gangs => gangs(kernel, launch).unwrap_or_else(|| trips.clone().at_most(most, input)),
        GridRule::Fixed => gangs(kernel, launch).unwrap_or_else(|| GANGS.to_owned()),
        GridRule::One => "1".into(),
    }
}

impl Linear {
    fn constant(add: i128) -> Linear {
        Linear { symbol: None, add }
    }

    fn symbol(symbol: impl Into<String>) -> Linear {
        Linear { symbol: Some(symbol.into()), add: 0 }
    }

    pub fn text(&self) -> String {
        match (&self.symbol, self.add) {
            (None, n) => n.to_string(),
            (Some(s), 0) => s.clone(),
            (Some(s), n) if n < 0 => format!("{s} - {}", -n),
            (Some(s), n) => format!("{s} + {n}"),
        }
    }

    fn at_most_zero(&self) -> Option<String> {
        self.symbol.as_ref().map(|s| format!("{s} <= {}", -self.add))
    }

    /// Rounded up. The sum is a long, so that it cannot overflow.
    fn divided(&self, by: &str) -> Linear {
        let Some(symbol) = &self.symbol else {
            if let Ok(by) = by.parse::<i128>() {
                return Linear::constant((self.add + by - 1).div_euclid(by.max(1)));
            }
            return Linear::symbol(format!("({}L + {by} - 1) / {by}", self.add));
        };
        let text = match by.parse::<i128>() {
            Ok(1) => format!("{symbol}{}", added(self.add)),
            Ok(by) => format!("({symbol}{}) / {by}", added(self.add + by - 1)),
            Err(_) => format!("({symbol}{} + {by} - 1) / {by}", added(self.add)),
        };
        Linear::symbol(text)
    }

    fn at_most(&self, most: i128, input: &Input) -> String {
        match (&self.symbol, input.target) {
            (None, _) => self.add.clamp(1, most).to_string(),
            (Some(_), PortLanguage::Cuda) => format!("min({}, {most}L)", long(&self.text())),
            (Some(_), PortLanguage::OpenCl | PortLanguage::C) => {
                let text = self.text();
                format!("{text} < {most} ? {text} : {most}")
            }
        }
    }
}

/// CUDA's `min` requires both operands to have one type.
fn long(text: &str) -> String {
    match text {
        _ if text.contains("L)") => text.to_owned(),
        _ if text.bytes().all(|b| b.is_ascii_digit()) => format!("{text}L"),
        _ if text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => format!("(long){text}"),
        _ => format!("(long)({text})"),
    }
}

fn added(n: i128) -> String {
    match n {
        0 => String::new(),
        n if n < 0 => format!(" - {}L", -n),
        n => format!(" + {n}L"),
    }
}

/// How many iterations the loop of a dimension has.
fn trips(
    input: &Input,
    kernel: &Kernel,
    launch: &Launch,
    d: usize,
    dim: &Dim,
    lines: &mut Vec<String>,
) -> Linear {
    if let Some(name) = &launch.trips[d] {
        return Linear::symbol(name.clone());
    }
    let Some((distance, stride)) = distance(input, kernel, launch, dim) else { return Linear::constant(1) };
    if stride == 1 {
        return distance;
    }
    let rounded = Linear { add: distance.add + stride - 1, ..distance };
    if rounded.symbol.is_none() {
        return Linear::constant(rounded.add.div_euclid(stride).max(0));
    }
    let name = trips_name(kernel, d);
    let symbol = rounded.symbol.clone().unwrap_or_default();
    lines.push(format!("const long {name} = ({symbol}{}) / {stride};", added(rounded.add)));
    Linear::symbol(name)
}

/// A name for the number of iterations.
pub fn trips_name(kernel: &Kernel, d: usize) -> String {
    let mut name = None;
    visit::for_each_loop(&kernel.body.block, &mut |l: &Loop, _| {
        if l.levels.as_ref().and_then(|s| s.dim) == u8::try_from(d).ok() {
            name.get_or_insert_with(|| kernel.body.locals[l.var].name.clone());
        }
    });
    format!("{}_count", name.unwrap_or_else(|| ["x", "y", "z"][d.min(2)].to_owned()))
}

/// Whether the launching function can compute the number of iterations from its parameters.
pub fn is_computable(input: &Input, kernel: &Kernel, launch: &Launch, dim: &Dim) -> bool {
    distance(input, kernel, launch, dim).is_some()
}

/// Upper end minus lower end, and the stride.
fn distance(input: &Input, kernel: &Kernel, launch: &Launch, dim: &Dim) -> Option<(Linear, i128)> {
    let body = input.module.functions[kernel.function].body.as_ref()?;
    let linear = |e| linear(input, launch, body, e);
    let step = linear(dim.trips.step).filter(|s| s.symbol.is_none())?.add;
    let (lower, bound) = (linear(dim.trips.lower)?, linear(dim.trips.bound)?);
    let (low, high) = if step > 0 { (lower, bound) } else { (bound, lower) };
    let inclusive = i128::from(matches!(dim.trips.compare, Compare::Le | Compare::Ge));
    let symbol = match (high.symbol, low.symbol) {
        (Some(high), Some(low)) => Some(format!("(long){high} - {low}")),
        (None, Some(low)) => Some(format!("-(long){low}")),
        (high, None) => high,
    };
    Some((Linear { symbol, add: high.add - low.add + inclusive }, step.abs()))
}

fn linear(input: &Input, launch: &Launch, body: &Body, e: Handle<Expr>) -> Option<Linear> {
    let expr = &body.exprs[e];
    match &expr.kind {
        ExprKind::Int(n) => Some(Linear::constant(*n)),
        ExprKind::Load(place) => match body.exprs[*place].kind {
            ExprKind::Local(local) => launch.value_names.get(&local).map(Linear::symbol),
            _ => None,
        },
        ExprKind::Cast(inner) => {
            let bits = |e: Handle<Expr>| match input.module.types.kind(body.exprs[e].ty) {
                TypeKind::Int { bits, signed } => Some((*bits, *signed)),
                _ => None,
            };
            let ((to, _), (from, signed)) = (bits(e)?, bits(*inner)?);
            let keeps =
                to > from || to == from && signed || matches!(body.exprs[*inner].kind, ExprKind::Int(_));
            if keeps { linear(input, launch, body, *inner) } else { None }
        }
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
            let (left, right) = (linear(input, launch, body, *left)?, linear(input, launch, body, *right)?);
            let add = if *op == BinaryOp::Add { right.add } else { -right.add };
            right.symbol.is_none().then_some(Linear { add: left.add + add, ..left })
        }
        ExprKind::Binary { op: BinaryOp::Mul, left, right } => {
            let (left, right) = (linear(input, launch, body, *left)?, linear(input, launch, body, *right)?);
            let factor = |l: &Linear| l.symbol.is_none() || l.add == 0;
            (factor(&left) && factor(&right))
                .then(|| Linear::symbol(format!("{} * {}", left.text(), right.text())))
        }
        _ => None,
    }
}
