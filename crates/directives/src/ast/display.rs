//! The canonical form: one spelling per clause, single blanks, no commas between clauses.

use super::*;
use std::fmt::{self, Display, Formatter, Result};

/// `a, b, c`
pub(crate) fn comma_list<T: Display>(f: &mut Formatter<'_>, items: &[T]) -> Result {
    items.iter().enumerate().try_for_each(|(i, item)| {
        f.write_str(if i > 0 { ", " } else { "" })?;
        write!(f, "{item}")
    })
}

/// A list as a value, for `format!`.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        comma_list(f, self.0)
    }
}

/// `name` or `name(value)`
fn optional<T: Display>(f: &mut Formatter<'_>, name: &str, value: &Option<T>) -> Result {
    match value {
        Some(value) => write!(f, "{name}({value})"),
        None => f.write_str(name),
    }
}

impl Display for Directive {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.kind)?;
        let mut scope: &[DeviceType] = &[];
        for clause in &self.clauses {
            if clause.device_types != scope {
                scope = &clause.device_types;
                write!(f, " device_type({})", List(scope))?;
            }
            write!(f, " {}", clause.kind)?;
        }
        Ok(())
    }
}

impl Display for DirectiveKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            DirectiveKind::Compute { construct, loop_ } => {
                write!(f, "{}{}", construct.name(), if *loop_ { " loop" } else { "" })
            }
            DirectiveKind::Data => f.write_str("data"),
            DirectiveKind::EnterData => f.write_str("enter data"),
            DirectiveKind::ExitData => f.write_str("exit data"),
            DirectiveKind::HostData => f.write_str("host_data"),
            DirectiveKind::Loop => f.write_str("loop"),
            DirectiveKind::Cache { readonly, sections } => {
                write!(f, "cache({}{})", if *readonly { "readonly: " } else { "" }, List(sections))
            }
            DirectiveKind::Atomic(kind) => write!(f, "atomic {}", kind.name()),
            DirectiveKind::Declare => f.write_str("declare"),
            DirectiveKind::Init => f.write_str("init"),
            DirectiveKind::Shutdown => f.write_str("shutdown"),
            DirectiveKind::Set => f.write_str("set"),
            DirectiveKind::Update => f.write_str("update"),
            DirectiveKind::Routine(name) => optional(f, "routine", &name.as_ref().map(|n| &n.name)),
            DirectiveKind::Wait(args) => optional(f, "wait", args),
            DirectiveKind::Fcw(groups) => {
                f.write_str("fcw")?;
                groups.iter().try_for_each(|g| write!(f, " {}({})", g.kind.name(), List(&g.windows)))
            }
            DirectiveKind::FcwBarrier => f.write_str("fcw_barrier"),
            DirectiveKind::Teams { loop_ } => f.write_str(if *loop_ { "teams loop" } else { "teams" }),
            DirectiveKind::Threads(kind) => f.write_str(kind.name()),
            DirectiveKind::DeclareTarget { begin: true } => f.write_str("begin declare target"),
            DirectiveKind::DeclareTarget { begin: false } => f.write_str("declare target"),
            DirectiveKind::DeclareMapper(mapper) => {
                write!(f, "declare mapper({} {})", mapper.of, mapper.variable)
            }
            DirectiveKind::EndDeclareTarget => f.write_str("end declare target"),
            DirectiveKind::Other { text, .. } => f.write_str(text),
        }
    }
}

impl Display for ClauseKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            ClauseKind::Async(queue) => optional(f, "async", queue),
            ClauseKind::Wait(args) => optional(f, "wait", args),
            ClauseKind::If(condition) => write!(f, "if({condition})"),
            ClauseKind::IfPresent => f.write_str("if_present"),
            ClauseKind::SelfCondition(condition) => optional(f, "self", condition),
            ClauseKind::Default(DefaultKind::None) => f.write_str("default(none)"),
            ClauseKind::Default(DefaultKind::Present) => f.write_str("default(present)"),
            ClauseKind::NumGangs(sizes) => write!(f, "num_gangs({})", List(sizes)),
            ClauseKind::NumWorkers(size) => write!(f, "num_workers({size})"),
            ClauseKind::VectorLength(size) => write!(f, "vector_length({size})"),
            ClauseKind::DeviceType(types) => write!(f, "device_type({})", List(types)),
            ClauseKind::DeviceNum(number) => write!(f, "device_num({number})"),
            ClauseKind::DefaultAsync(queue) => write!(f, "default_async({queue})"),
            ClauseKind::Private(list) => write!(f, "private({})", List(list)),
            ClauseKind::Firstprivate(list) => write!(f, "firstprivate({})", List(list)),
            ClauseKind::Reduction(r) => write!(f, "reduction({}:{})", r.op.symbol(), List(&r.vars)),
            ClauseKind::Data(data) => write!(f, "{data}"),
            ClauseKind::Mapped(list) => write!(f, "map({})", List(&list.sections)),
            ClauseKind::Finalize => f.write_str("finalize"),
            ClauseKind::UseDevice(list) => write!(f, "use_device({})", List(list)),
            ClauseKind::UpdateSelf(list) => write!(f, "self({})", List(list)),
            ClauseKind::UpdateDevice(list) => write!(f, "device({})", List(list)),
            ClauseKind::Gang(args) => write!(f, "{args}"),
            ClauseKind::Worker(size) => optional(f, "worker", size),
            ClauseKind::Vector(size) => optional(f, "vector", size),
            ClauseKind::Seq => f.write_str("seq"),
            ClauseKind::Auto => f.write_str("auto"),
            ClauseKind::Independent => f.write_str("independent"),
            ClauseKind::Collapse(c) => {
                write!(f, "collapse({}{})", if c.force { "force: " } else { "" }, c.count)
            }
            ClauseKind::Tile(sizes) => write!(f, "tile({})", List(sizes)),
            ClauseKind::Bind(BindName::Ident(name)) => write!(f, "bind({})", name.name),
            ClauseKind::Bind(BindName::Literal(name, _)) => write!(f, "bind(\"{name}\")"),
            ClauseKind::Nohost => f.write_str("nohost"),
            ClauseKind::Lastprivate(list) => write!(f, "lastprivate({})", List(list)),
            ClauseKind::ParallelIf(condition) => write!(f, "if(parallel: {condition})"),
            ClauseKind::Shared(list) => write!(f, "shared({})", List(list)),
            ClauseKind::Defaultmap(Defaultmap { behavior, category: None }) => {
                write!(f, "defaultmap({})", behavior.name())
            }
            ClauseKind::Defaultmap(Defaultmap { behavior, category: Some(category) }) => {
                write!(f, "defaultmap({}: {})", behavior.name(), category.name())
            }
            ClauseKind::Depend => f.write_str("depend"),
            ClauseKind::Ancestor => f.write_str("ancestor"),
            ClauseKind::Linear(list, step) => {
                write!(f, "linear({}", List(list))?;
                step.iter().try_for_each(|step| write!(f, ": {step}"))?;
                f.write_str(")")
            }
            ClauseKind::DeclaredReduction(name, list) => write!(f, "reduction({name}: {})", List(list)),
            ClauseKind::ReductionInOrder(what, list) => write!(f, "reduction({what}: {})", List(list)),
            ClauseKind::Filter(number) => write!(f, "filter({number})"),
            ClauseKind::Copyprivate(list) => write!(f, "copyprivate({})", List(list)),
            ClauseKind::DefaultCopies { start: false } => f.write_str("default(private)"),
            ClauseKind::DefaultCopies { start: true } => f.write_str("default(firstprivate)"),
            ClauseKind::Schedule(schedule) => {
                f.write_str(if schedule.teams { "dist_schedule(static" } else { "schedule(static" })?;
                schedule.chunk.iter().try_for_each(|chunk| write!(f, ", {chunk}"))?;
                f.write_str(")")
            }
            ClauseKind::Compression(args, list) => {
                f.write_str("compression(")?;
                let words = args.words();
                if !words.is_empty() {
                    write!(f, "{}: ", List(&words))?;
                }
                write!(f, "{})", List(list))
            }
        }
    }
}

impl Display for DataClause {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let short = if self.compressed.is_some() { "c" } else { "" };
        write!(f, "{short}{}(", self.kind.name())?;
        let mut words: Vec<String> = self.modifiers.iter().map(|m| m.name().to_owned()).collect();
        words.extend(self.compressed.iter().flat_map(CompressionArgs::words));
        if !words.is_empty() {
            write!(f, "{}: ", List(&words))?;
        }
        write!(f, "{})", List(&self.sections))
    }
}

impl CompressionArgs {
    fn words(&self) -> Vec<String> {
        let bits = self.bits.as_ref().map(|b| format!("bits({b})"));
        let scheme = self.scheme.map(|s| format!("scheme({})", s.name()));
        let error = self.error.as_ref().map(|e| match e {
            ErrorBound::Relative(bound) => format!("error(rel: {bound})"),
            ErrorBound::Absolute(bound) => format!("error(abs: {bound})"),
        });
        let layout = self.layout.map(|l| format!("layout({})", l.name()));
        [bits, scheme, error, layout].into_iter().flatten().collect()
    }
}

impl Display for GangArgs {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let num = self.num.as_ref().map(|n| format!("num: {n}"));
        let static_ = self.static_.as_ref().map(|s| format!("static: {s}"));
        let dim = self.dim.as_ref().map(|d| format!("dim: {d}"));
        let words: Vec<String> = [num, static_, dim].into_iter().flatten().collect();
        optional(f, "gang", &(!words.is_empty()).then_some(List(&words)))
    }
}

impl Display for StaticSize {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            StaticSize::Star => f.write_str("*"),
            StaticSize::Expr(size) => write!(f, "{size}"),
        }
    }
}

impl Display for TileSize {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            TileSize::Star => f.write_str("*"),
            TileSize::Expr(size) => write!(f, "{size}"),
        }
    }
}

impl Display for WaitArgs {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(devnum) = &self.devnum {
            write!(f, "devnum: {devnum} : ")?;
        }
        comma_list(f, &self.queues)
    }
}

impl Display for FcwWindow {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.array)?;
        self.dims.iter().try_for_each(|d| write!(f, "[{} : {} : {}]", d.pivot, d.before, d.after))
    }
}

impl Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Result {
        f.write_str(self.name())
    }
}
