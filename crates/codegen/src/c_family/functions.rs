//! Device functions: those that kernels call, callees first.

use super::body::BodyWriter;
use super::decl::PointerStyle;
use super::names::Names;
use super::spaces::{AddrSpace, Spaces};
use super::stmt::StmtWriter;
use super::stop;
use super::unit::{DeviceSource, Instance};
use super::usage::Usage;
use super::writer::wrapped_list;
use crate::Result;
use accl_ir::Function;

impl DeviceSource<'_> {
    /// A function's name. Where pointers name spaces, the function is written once for each combination.
    pub fn instance_name(&self, instance: &Instance) -> String {
        let symbol = self.safe_name(&self.module.functions[instance.function].symbol);
        let words = instance.spaces.iter().map(|space| match space {
            AddrSpace::Global => 'g',
            AddrSpace::Local => 'l',
            AddrSpace::Constant => 'c',
            AddrSpace::Private => 'p',
        });
        if instance.spaces.iter().all(|s| *s == AddrSpace::Global) {
            symbol
        } else {
            format!("{symbol}_{}", words.collect::<String>())
        }
    }
}

/// A function that has been written, and what it calls.
struct Written {
    instance: Instance,
    head: String,
    text: String,
    calls: Vec<Instance>,
}

/// The texts of all functions used so far, and of those that these use in turn.
pub fn emit_needed(unit: &DeviceSource) -> Result<Vec<String>> {
    let mut written: Vec<Written> = Vec::new();
    let mut queue = unit.needs().instances.clone();
    while let Some(instance) = queue.pop() {
        if written.iter().any(|w| w.instance == instance) {
            continue;
        }
        unit.note(|n| n.instances.clear());
        let (head, text) = function(unit, &instance)?;
        let calls = unit.needs().instances.clone();
        queue.extend(calls.iter().cloned());
        written.push(Written { instance, head, text, calls });
    }
    written.sort_by(|a, b| a.instance.cmp(&b.instance));
    Ok(in_call_order(&written))
}

/// Callees before callers; a function that calls itself through others is declared first.
fn in_call_order(written: &[Written]) -> Vec<String> {
    let mut order =
        Order { written, state: vec![State::New; written.len()], texts: vec![], recursive: vec![] };
    for at in 0..written.len() {
        order.visit(at);
    }
    let heads = order.recursive.iter().map(|at| format!("{};\n", written[*at].head));
    let prototypes = heads.collect::<String>();
    std::iter::once(prototypes).filter(|p| !p.is_empty()).chain(order.texts).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

struct Order<'w> {
    written: &'w [Written],
    state: Vec<State>,
    texts: Vec<String>,
    recursive: Vec<usize>,
}

impl Order<'_> {
    fn visit(&mut self, at: usize) {
        match self.state[at] {
            State::Done => return,
            State::Open => {
                if !self.recursive.contains(&at) {
                    self.recursive.push(at);
                }
                return;
            }
            State::New => self.state[at] = State::Open,
        }
        for call in &self.written[at].calls {
            if let Some(callee) = self.written.iter().position(|w| w.instance == *call) {
                self.visit(callee);
            }
        }
        self.state[at] = State::Done;
        self.texts.push(self.written[at].text.clone());
    }
}

/// Head and whole text of one function.
fn function(unit: &DeviceSource, instance: &Instance) -> Result<(String, String)> {
    let function = &unit.module.functions[instance.function];
    let Some(body) = &function.body else { return Ok(Default::default()) };
    let usage = Usage::of(unit.module, body);
    let names = Names::assign(body, &usage, &function.params, unit.reserved_names(), unit.families());
    let spaces = if unit.dialect.has_spaces() {
        Spaces::of_function(unit.module, function, body, &instance.spaces)?
    } else {
        Spaces::default()
    };
    let writer = BodyWriter {
        unit,
        body,
        usage,
        names,
        spaces,
        folded: false,
        unroll: None,
        lanes: None,
        few_lanes: false,
        combined_places: std::collections::BTreeSet::new(),
        aggregated: Default::default(),
        function: Some(function),
    };
    let head = head(&writer, function, &unit.instance_name(instance))?;
    let mut out = StmtWriter::new(&writer, None);
    out.declare_leftovers(&function.params, &[])?;
    out.block(&body.block)?;
    Ok((head.clone(), format!("{head}\n{{\n{}}}\n", out.finish())))
}

fn head(writer: &BodyWriter, function: &Function, name: &str) -> Result<String> {
    let mut params = Vec::new();
    for param in &function.params {
        let local = &writer.body.locals[*param];
        writer.check_parameter(*param)?;
        let style = PointerStyle { space: Some(writer.spaces.pointee(*param)), ..PointerStyle::default() };
        params.push(writer.declarator(local.span).pointer(local.ty, writer.names.local(*param), style)?);
    }
    if stop::takes_flag(writer.unit, function) {
        params.extend(writer.unit.dialect.stop_flag().map(str::to_owned));
    }
    if params.is_empty() {
        params.push("void".into());
    }
    let style = PointerStyle { space: writer.spaces.of_returns(writer.body)?, ..PointerStyle::default() };
    let result = writer.declarator(function.span).pointer(function.result, name, style)?;
    Ok(wrapped_list(&format!("{}{result}", writer.unit.dialect.function_qualifier()), &params, ""))
}
