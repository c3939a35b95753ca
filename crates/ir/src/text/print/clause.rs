//! Printing regions, directives and their clauses.

use super::{Printer, global_name, kernel_name};
use crate::text::words::{self, quoted, word};
use crate::{
    Async, Body, Compressed, Compression, DataItem, DataVar, DefaultData, Format, GivenSchedule, Handle,
    HostExpr, LaunchTest, Layout, Module, Reduction, Region, RegionClauses, Search, SectionDim, Standalone,
    StandaloneKind, Type, Wait,
};

/// Text, and the value where it is known: `"n"`, `"N" = 32`, `32`.
pub(super) fn host(e: &HostExpr) -> String {
    match e.value {
        Some(v) if v.to_string() == e.text => e.text.clone(),
        Some(v) => format!("{} = {v}", quoted(&e.text)),
        None => quoted(&e.text),
    }
}

pub(super) fn hosts(list: &[HostExpr]) -> String {
    let texts: Vec<String> = list.iter().map(host).collect();
    texts.join(", ")
}

pub(super) fn with_optional_arg(word: &str, arg: Option<&HostExpr>) -> String {
    arg.map_or(word.to_owned(), |e| format!("{word}({})", host(e)))
}

/// `schedule("vectorize(4)")`
pub(super) fn schedule(given: &Option<GivenSchedule>) -> Option<String> {
    given.as_ref().map(|given| format!("schedule({})", words::quoted(&given.schedule.to_string())))
}

/// The clauses with one argument, of regions and kernels.
pub(super) fn with_args(list: &[(&str, &Option<HostExpr>)]) -> Vec<String> {
    list.iter().filter_map(|(word, arg)| arg.as_ref().map(|e| format!("{word}({})", host(e)))).collect()
}

/// `strides("w > m" "w > m", …)`: what the host computes, and how messages say it.
pub(super) fn launch_tests(word: &str, tests: &[LaunchTest]) -> Option<String> {
    let texts: Vec<String> =
        tests.iter().map(|t| format!("{} {}", host(&t.host), quoted(&t.shown))).collect();
    (!texts.is_empty()).then(|| format!("{word}({})", texts.join(", ")))
}

fn async_clause(a: &Option<Async>) -> Option<String> {
    a.as_ref().map(|a| with_optional_arg("async", a.queue.as_ref()))
}

fn wait_clause(wait: &Wait) -> String {
    let Wait { devnum, queues, tasks } = wait;
    if *tasks {
        return "wait(tasks)".to_owned();
    }
    match devnum {
        None if queues.is_empty() => "wait".to_owned(),
        None => format!("wait({})", hosts(queues)),
        Some(devnum) => format!("wait(devnum({}): {})", host(devnum), hosts(queues)),
    }
}

/// `a[0:n]` as a user writes it: what messages call a data item unless it says otherwise.
pub(crate) fn usual_item_name(base: &str, section: &[SectionDim]) -> String {
    let text = |e: &Option<HostExpr>| e.as_ref().map_or(String::new(), |e| e.text.clone());
    let dims: String = section.iter().map(|d| format!("[{}:{}]", text(&d.lower), text(&d.length))).collect();
    base.to_owned() + &dims
}

/// ` compressed range 16 of 32 from 0 to "max"`
fn compression(c: &Compression) -> String {
    let Compression { format, float_bits, members, range, .. } = c;
    let members = if *members == 1 { String::new() } else { format!(" by {members}") };
    let range = range.as_ref().map_or(String::new(), |(a, b)| format!(" from {} to {}", host(a), host(b)));
    format!(" compressed {} of {float_bits}{members}{range}", self::format(*format))
}

/// `range 16`, `range 16 aos`
pub(super) fn format(f: Format) -> String {
    let layout = if f.layout == Layout::Aos { " aos" } else { "" };
    format!("{} {}{layout}", word(words::SCHEME, &f.scheme), f.bits)
}

impl Printer<'_> {
    pub(super) fn region(&mut self, r: &Region) {
        let mut head = vec!["region".to_owned(), word(words::REGION, &r.kind).to_owned()];
        if r.combined {
            head.push("loop".to_owned());
        }
        head.extend(self.clauses(&r.clauses));
        if !r.kernels.is_empty() {
            let names: Vec<String> = r.kernels.iter().map(|k| kernel_name(self.module, *k)).collect();
            head.push(format!("kernels({})", names.join(", ")));
        }
        self.braced(&(head.join(" ") + " "), &r.body, "");
    }

    fn clauses(&mut self, c: &RegionClauses) -> Vec<String> {
        let mut out = with_args(&[("if", &c.if_)]);
        out.extend(c.self_.as_ref().map(|arg| with_optional_arg("self", arg.as_ref())));
        if c.if_present {
            out.push("if_present".to_owned());
        }
        out.extend(async_clause(&c.async_));
        out.extend(c.waits.iter().map(wait_clause));
        out.extend(with_args(&[
            ("num_gangs", &c.num_gangs),
            ("num_workers", &c.num_workers),
            ("vector_length", &c.vector_length),
        ]));
        out.extend(c.default.map(|d| match d {
            DefaultData::None => "default(none)".to_owned(),
            DefaultData::Present => "default(present)".to_owned(),
            DefaultData::IfMapped => "default(if_mapped)".to_owned(),
        }));
        out.extend(self.data(&c.data));
        out.extend(c.list.iter().map(|line| format!("list {}", quoted(line))));
        if !c.compression.is_empty() {
            let list: Vec<String> = c.compression.iter().map(|c| self.compressed(c)).collect();
            out.push(format!("compression[{}]", list.join(", ")));
        }
        if !c.private.is_empty() {
            out.push(format!("private({})", self.locals(&c.private)));
        }
        if !c.firstprivate.is_empty() {
            out.push(format!("firstprivate({})", self.locals(&c.firstprivate)));
        }
        out.extend(self.reductions(&c.reductions));
        out
    }

    pub(super) fn reductions(&mut self, list: &[Reduction]) -> Vec<String> {
        list.iter().map(|r| self.reduction(r)).collect()
    }

    pub(super) fn reduction(&mut self, r: &Reduction) -> String {
        format!("reduction({}: {})", word(words::REDUCTION, &r.op), self.local(r.local))
    }

    pub(super) fn search(&mut self, s: &Search) -> String {
        let last = if s.last { "last " } else { "" };
        let variables: Vec<_> = s.variables().collect();
        format!("search({last}{}: {})", word(words::REDUCTION, &s.op), self.locals(&variables))
    }

    fn data(&mut self, items: &[DataItem]) -> Option<String> {
        if items.is_empty() {
            return None;
        }
        let texts: Vec<String> = items.iter().map(|i| self.item(i)).collect();
        Some(format!("data[{}]", texts.join(", ")))
    }

    fn compressed(&mut self, c: &Compressed) -> String {
        let var = self.var(&c.var);
        let mut out = var.clone();
        if let Some(stated) = c.format {
            out += &format!(" {}", format(stated));
        }
        if c.name != usual_base(&var) {
            out += &format!(" as {}", quoted(&c.name));
        }
        if self.var_type(&c.var) != Some(c.ty) {
            out += &format!(" : {}", self.ty(c.ty));
        }
        out
    }

    fn item(&mut self, item: &DataItem) -> String {
        let var = self.var(&item.var);
        let mut out = format!("{} {var}", word(words::DATA, &item.kind));
        for dim in &item.section {
            let text = |e: &Option<HostExpr>| e.as_ref().map_or(String::new(), host);
            out += &format!("[{}:{}]", text(&dim.lower), text(&dim.length));
        }
        let flags = item.flags;
        let flags = [
            ("implicit", flags.implicit),
            ("zero", flags.zero),
            ("readonly", flags.readonly),
            ("always_in", flags.always_in),
            ("always_out", flags.always_out),
            ("private", flags.private),
            ("rows", flags.rows),
            ("address", flags.address),
            ("indirect", flags.indirect),
            ("must_be_present", flags.must_be_present),
            ("finalize", flags.finalize),
            ("keeps_address", flags.keeps_address),
            ("resident", flags.resident),
            ("object", flags.object),
            ("followed", flags.followed),
            ("followed_written", flags.followed_written),
            ("rows_read", flags.rows_read),
            ("one_place", flags.one_place),
        ];
        for (flag, _) in flags.iter().filter(|(_, set)| *set) {
            out += &format!(" {flag}");
        }
        out += &item.compression.as_ref().map_or(String::new(), compression);
        out += &item.row.map_or(String::new(), |row| format!(" row {row}"));
        out += &item
            .pointers
            .as_ref()
            .map_or(String::new(), |p| format!(" pointers {}", quoted(&p.to_string())));
        if item.name != usual_item_name(&item.base, &item.section) {
            out += &format!(" as {}", quoted(&item.name));
        }
        let usual = usual_base(&var);
        if item.base != usual {
            out += &format!(" base {}", quoted(&item.base));
        }
        if self.var_type(&item.var) != Some(item.ty) {
            out += &format!(" : {}", self.ty(item.ty));
        }
        out
    }

    /// What a data clause names: `a`, `@a`, `(p->a)`.
    pub(super) fn var(&mut self, var: &DataVar) -> String {
        match var {
            DataVar::Local(l) => self.local(*l),
            DataVar::Global(g) => format!("@{}", global_name(self.module, *g)),
            DataVar::Member(e) => format!("({})", self.place(*e, 0)),
        }
    }

    pub(super) fn var_type(&self, var: &DataVar) -> Option<Handle<Type>> {
        match var {
            DataVar::Local(l) => self.body.locals.get(*l).map(|l| l.ty),
            DataVar::Global(g) => self.module.globals.get(*g).map(|g| g.ty),
            DataVar::Member(e) => self.body.exprs.get(*e).map(|e| e.ty),
        }
    }

    pub(super) fn standalone(&mut self, s: &Standalone) {
        let (kind, own) = standalone_kind(&s.kind);
        let mut out = vec!["directive".to_owned(), kind.to_owned()];
        out.extend(own);
        out.extend(with_args(&[("if", &s.if_)]));
        if s.if_present {
            out.push("if_present".to_owned());
        }
        if s.finalize {
            out.push("finalize".to_owned());
        }
        out.extend(async_clause(&s.async_));
        out.extend(s.waits.iter().map(wait_clause));
        out.extend(self.data(&s.data));
        out.extend(s.list.iter().map(|line| format!("list {}", quoted(line))));
        self.line(&(out.join(" ") + ";"));
    }
}

/// The base lvalue of a data item as its variable prints.
fn usual_base(var: &str) -> String {
    let member = var.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
    member.or(var.strip_prefix('@')).unwrap_or(var).replace('`', "")
}

/// What a data item's base and type are unless the text says otherwise.
pub(crate) fn var_base_and_type(
    module: &Module,
    body: &Body,
    var: &DataVar,
) -> (String, Option<Handle<Type>>) {
    let mut p = Printer::snippet(module, body);
    (usual_base(&p.var(var)), p.var_type(var))
}

fn standalone_kind(kind: &StandaloneKind) -> (&'static str, Vec<String>) {
    let device = |types: &[String], num: &Option<HostExpr>| {
        let mut out: Vec<String> = types.iter().map(|t| format!("device_type {}", quoted(t))).collect();
        out.extend(with_args(&[("device_num", num)]));
        out
    };
    match kind {
        StandaloneKind::EnterData => ("enter_data", Vec::new()),
        StandaloneKind::ExitData => ("exit_data", Vec::new()),
        StandaloneKind::Update => ("update", Vec::new()),
        StandaloneKind::Wait => ("wait", Vec::new()),
        StandaloneKind::Declare => ("declare", Vec::new()),
        StandaloneKind::Init { device_types, device_num } => ("init", device(device_types, device_num)),
        StandaloneKind::Shutdown { device_types, device_num } => {
            ("shutdown", device(device_types, device_num))
        }
        StandaloneKind::Set { device_types, device_num, default_async } => {
            let mut out = device(device_types, device_num);
            out.extend(with_args(&[("default_async", default_async)]));
            ("set", out)
        }
    }
}
