//! Reading regions, directives and their clauses.

use super::{Parser, Result};
use crate::text::lex::Tok;
use crate::text::{print, words};
use crate::{
    Async, Block, Compressed, Compression, DataFlags, DataItem, DataVar, DefaultData, GivenSchedule, Handle,
    HostExpr, LaunchTest, Local, PointerTypes, Reduction, Region, RegionClauses, Schedule, Search,
    SectionDim, Standalone, StandaloneKind, Stmt, Wait,
};

impl Parser {
    /// `"n"`, `"N" = 32`, `32`
    pub(super) fn host_expr(&mut self) -> Result<HostExpr> {
        let span = self.before();
        if !matches!(self.tok(), Tok::Str(_)) {
            let value: i64 = self.integer()?;
            return Ok(HostExpr::constant(value, span));
        }
        let text = self.string()?;
        let value = if self.eat("=") { Some(self.integer()?) } else { None };
        Ok(HostExpr { text, span, value })
    }

    /// `( host )`
    pub(super) fn host_arg(&mut self) -> Result<HostExpr> {
        self.expect("(")?;
        let e = self.host_expr()?;
        self.expect(")")?;
        Ok(e)
    }

    /// The text of a schedule.
    pub(super) fn schedule(&mut self) -> Result<Schedule> {
        let text = self.string()?;
        text.parse().or_else(|why| self.error(format!("in the schedule before: {why}")))
    }

    /// `("vectorize(4)")`
    pub(super) fn schedule_arg(&mut self) -> Result<GivenSchedule> {
        self.expect("(")?;
        let schedule = self.schedule()?;
        self.expect(")")?;
        Ok(GivenSchedule { schedule, span: self.before(), origin: None })
    }

    pub(super) fn optional_host_arg(&mut self) -> Result<Option<HostExpr>> {
        if self.is("(") { self.host_arg().map(Some) } else { Ok(None) }
    }

    pub(super) fn host_args(&mut self) -> Result<Vec<HostExpr>> {
        self.expect("(")?;
        self.list(")", Self::host_expr)
    }

    /// `("w > m" "w > m", …)`
    pub(super) fn launch_tests(&mut self) -> Result<Vec<LaunchTest>> {
        self.expect("(")?;
        self.list(")", |p| Ok(LaunchTest { host: p.host_expr()?, shown: p.string()? }))
    }

    pub(super) fn local_args(&mut self) -> Result<Vec<Handle<Local>>> {
        self.expect("(")?;
        self.list(")", Self::local)
    }

    /// `(+: a, b)`
    pub(super) fn reduction_args(&mut self) -> Result<Vec<Reduction>> {
        self.expect("(")?;
        let op = self.one_of(words::REDUCTION, "an operator")?;
        self.expect(":")?;
        let locals = self.list(")", Self::local)?;
        Ok(locals.into_iter().map(|local| Reduction { op, local, span: self.before() }).collect())
    }

    /// `(min: best, place, …)`, or `(last min: …)`
    pub(super) fn search_args(&mut self) -> Result<Search> {
        self.expect("(")?;
        let last = self.eat_word("last");
        let op = self.one_of(words::REDUCTION, "an operator")?;
        self.expect(":")?;
        let mut places = self.list(")", Self::local)?;
        if places.is_empty() {
            return self.expected("the variable that has the best value");
        }
        let best = places.remove(0);
        Ok(Search { op, best, last, places })
    }

    fn async_(&mut self) -> Result<Option<Async>> {
        Ok(Some(Async { queue: self.optional_host_arg()? }))
    }

    fn wait(&mut self) -> Result<Wait> {
        if !self.is("(") {
            return Ok(Wait::default());
        }
        self.expect("(")?;
        if self.eat_word("tasks") {
            self.expect(")")?;
            return Ok(Wait { tasks: true, ..Wait::default() });
        }
        let mut devnum = None;
        if self.word() == Some("devnum") {
            self.advance();
            devnum = Some(self.host_arg()?);
            self.expect(":")?;
        }
        Ok(Wait { devnum, queues: self.list(")", Self::host_expr)?, tasks: false })
    }

    pub(super) fn region(&mut self) -> Result<Stmt> {
        self.expect_word("region")?;
        let mut region = Region {
            kind: self.one_of(words::REGION, "a construct")?,
            combined: self.eat_word("loop"),
            clauses: RegionClauses::default(),
            body: Block::new(),
            directive_span: self.before(),
            copy: 0,
            body_span: self.before(),
            kernels: Vec::new(),
        };
        while !self.is("{") {
            let word = self.word().unwrap_or_default().to_owned();
            self.region_clause(&word, &mut region)?;
        }
        region.body = self.block()?;
        Ok(Stmt::Region(Box::new(region)))
    }

    fn region_clause(&mut self, word: &str, region: &mut Region) -> Result<()> {
        if !matches!(
            word,
            "if" | "self"
                | "if_present"
                | "async"
                | "wait"
                | "num_gangs"
                | "num_workers"
                | "vector_length"
                | "default"
                | "data"
                | "list"
                | "compression"
                | "private"
                | "firstprivate"
                | "reduction"
                | "kernels"
        ) {
            return self.expected("a clause or `{`");
        }
        self.advance();
        let c = &mut region.clauses;
        match word {
            "if" => c.if_ = Some(self.host_arg()?),
            "self" => c.self_ = Some(self.optional_host_arg()?),
            "if_present" => c.if_present = true,
            "async" => c.async_ = self.async_()?,
            "wait" => c.waits.push(self.wait()?),
            "num_gangs" => c.num_gangs = Some(self.host_arg()?),
            "num_workers" => c.num_workers = Some(self.host_arg()?),
            "vector_length" => c.vector_length = Some(self.host_arg()?),
            "default" => c.default = Some(self.default_data()?),
            "data" => c.data.extend(self.items_of_data()?),
            "list" => c.list.push(self.string()?),
            "compression" => {
                self.expect("[")?;
                c.compression = self.list("]", Self::compressed)?;
            }
            "private" => c.private = self.local_args()?,
            "firstprivate" => c.firstprivate = self.local_args()?,
            "reduction" => c.reductions.extend(self.reduction_args()?),
            _ => {
                self.expect("(")?;
                region.kernels = self.list(")", Self::kernel_name)?;
            }
        }
        Ok(())
    }

    fn kernel_name(&mut self) -> Result<Handle<crate::Kernel>> {
        let name = self.name("a kernel")?;
        match self.kernel_names.get(&name) {
            Some(kernel) => Ok(*kernel),
            None => self.error(format!("no kernel is named `{name}`")),
        }
    }

    fn default_data(&mut self) -> Result<DefaultData> {
        self.expect("(")?;
        let found = if self.eat_word("none") {
            DefaultData::None
        } else if self.eat_word("if_mapped") {
            DefaultData::IfMapped
        } else {
            self.expect_word("present")?;
            DefaultData::Present
        };
        self.expect(")")?;
        Ok(found)
    }

    fn items_of_data(&mut self) -> Result<Vec<DataItem>> {
        self.expect("[")?;
        self.list("]", Self::data_item)
    }

    fn data_item(&mut self) -> Result<DataItem> {
        let kind = self.one_of(words::DATA, "a data clause")?;
        let (var, usual_base, usual_type) = self.data_var()?;
        let mut section = Vec::new();
        while self.eat("[") {
            section.push(self.section_dim()?);
        }
        let flags = self.data_flags();
        let compression = self.compression()?;
        let row = if self.eat_word("row") { Some(self.integer()?) } else { None };
        let pointers = if self.eat_word("pointers") { Some(self.pointer_types()?) } else { None };
        let name = if self.eat_word("as") { Some(self.string()?) } else { None };
        let base = if self.eat_word("base") { self.string()? } else { usual_base };
        let ty = if self.eat(":") { self.ty()? } else { usual_type };
        let name = name.unwrap_or_else(|| print::usual_item_name(&base, &section));
        Ok(DataItem {
            kind,
            flags,
            var,
            name,
            base,
            ty,
            section,
            compression,
            row,
            pointers,
            span: self.before(),
        })
    }

    fn pointer_types(&mut self) -> Result<PointerTypes> {
        let text = self.string()?;
        match PointerTypes::parse(&text) {
            Some(types) => Ok(types),
            None => self.error(format!("`{text}` does not say where pointers lie")),
        }
    }

    /// `compressed range 16 of 32 from 0 to "max"`
    fn compression(&mut self) -> Result<Option<Compression>> {
        if !self.eat_word("compressed") {
            return Ok(None);
        }
        let format = self.format()?;
        self.expect_word("of")?;
        let float_bits = self.integer()?;
        let members = if self.eat_word("by") { self.integer()? } else { 1 };
        let range = if self.eat_word("from") {
            let least = self.host_expr()?;
            self.expect_word("to")?;
            Some((least, self.host_expr()?))
        } else {
            None
        };
        Ok(Some(Compression { format, float_bits, members, range, span: self.before() }))
    }

    /// An entry of the compression clause.
    fn compressed(&mut self) -> Result<Compressed> {
        let (var, usual_name, usual_type) = self.data_var()?;
        let stated = self.word().is_some_and(|w| words::value(words::SCHEME, w).is_some());
        let format = if stated { Some(self.format()?) } else { None };
        let name = if self.eat_word("as") { self.string()? } else { usual_name };
        let ty = if self.eat(":") { self.ty()? } else { usual_type };
        Ok(Compressed { var, name, ty, format, span: self.before() })
    }

    /// The variable, the text of its base and its type.
    pub(super) fn data_var(&mut self) -> Result<(DataVar, String, Handle<crate::Type>)> {
        let var = if self.eat("(") {
            let place = self.place()?;
            self.expect(")")?;
            DataVar::Member(place)
        } else if self.eat("@") {
            DataVar::Global(self.global_name()?)
        } else {
            DataVar::Local(self.local()?)
        };
        let (base, ty) = print::var_base_and_type(&self.module, &self.scope.body, &var);
        match ty {
            Some(ty) => Ok((var, base, ty)),
            None => self.error("a data clause needs a variable before here"),
        }
    }

    /// After `[`: `lower:length]`, both optional.
    fn section_dim(&mut self) -> Result<SectionDim> {
        let lower = if self.is(":") { None } else { Some(self.host_expr()?) };
        self.expect(":")?;
        let length = if self.is("]") { None } else { Some(self.host_expr()?) };
        self.expect("]")?;
        Ok(SectionDim { lower, length })
    }

    fn data_flags(&mut self) -> DataFlags {
        let mut flags = DataFlags::default();
        loop {
            match self.word() {
                Some("implicit") => flags.implicit = true,
                Some("zero") => flags.zero = true,
                Some("readonly") => flags.readonly = true,
                Some("always_in") => flags.always_in = true,
                Some("always_out") => flags.always_out = true,
                Some("private") => flags.private = true,
                Some("rows") => flags.rows = true,
                Some("address") => flags.address = true,
                Some("indirect") => flags.indirect = true,
                Some("must_be_present") => flags.must_be_present = true,
                Some("finalize") => flags.finalize = true,
                Some("keeps_address") => flags.keeps_address = true,
                Some("resident") => flags.resident = true,
                Some("object") => flags.object = true,
                Some("followed") => flags.followed = true,
                Some("followed_written") => flags.followed_written = true,
                Some("rows_read") => flags.rows_read = true,
                Some("one_place") => flags.one_place = true,
                _ => return flags,
            }
            self.advance();
        }
    }

    /// After `directive`.
    pub(super) fn directive(&mut self) -> Result<Stmt> {
        let Some(kind) = self.word().map(str::to_owned) else { return self.expected("a directive") };
        let mut s = Standalone {
            kind: match standalone_kind(&kind) {
                Some(kind) => kind,
                None => return self.expected("a directive"),
            },
            if_: None,
            async_: None,
            waits: Vec::new(),
            data: Vec::new(),
            list: Vec::new(),
            if_present: false,
            finalize: false,
            directive_span: self.before(),
        };
        self.advance();
        while !self.is(";") {
            let word = self.word().unwrap_or_default().to_owned();
            self.standalone_clause(&word, &mut s)?;
        }
        Ok(Stmt::Directive(Box::new(s)))
    }

    fn standalone_clause(&mut self, word: &str, s: &mut Standalone) -> Result<()> {
        if !matches!(
            word,
            "if" | "async"
                | "wait"
                | "if_present"
                | "finalize"
                | "data"
                | "list"
                | "device_type"
                | "device_num"
                | "default_async"
        ) {
            return self.expected("a clause or `;`");
        }
        self.advance();
        match word {
            "if" => s.if_ = Some(self.host_arg()?),
            "async" => s.async_ = self.async_()?,
            "wait" => s.waits.push(self.wait()?),
            "if_present" => s.if_present = true,
            "finalize" => s.finalize = true,
            "data" => s.data.extend(self.items_of_data()?),
            "list" => s.list.push(self.string()?),
            own => self.device_clause(own, &mut s.kind)?,
        }
        Ok(())
    }

    /// The clauses that only `init`, `shutdown` and `set` have.
    fn device_clause(&mut self, word: &str, kind: &mut StandaloneKind) -> Result<()> {
        let (types, num, queue) = match kind {
            StandaloneKind::Init { device_types, device_num }
            | StandaloneKind::Shutdown { device_types, device_num } => (device_types, device_num, None),
            StandaloneKind::Set { device_types, device_num, default_async } => {
                (device_types, device_num, Some(default_async))
            }
            StandaloneKind::EnterData
            | StandaloneKind::ExitData
            | StandaloneKind::Update
            | StandaloneKind::Wait
            | StandaloneKind::Declare => return self.error(format!("`{word}` is not for this directive")),
        };
        match (word, queue) {
            ("device_type", _) => types.push(self.string()?),
            ("device_num", _) => *num = Some(self.host_arg()?),
            (_, Some(queue)) => *queue = Some(self.host_arg()?),
            (_, None) => return self.error("`default_async` is only for `set`"),
        }
        Ok(())
    }
}

fn standalone_kind(word: &str) -> Option<StandaloneKind> {
    Some(match word {
        "enter_data" => StandaloneKind::EnterData,
        "exit_data" => StandaloneKind::ExitData,
        "update" => StandaloneKind::Update,
        "wait" => StandaloneKind::Wait,
        "declare" => StandaloneKind::Declare,
        "init" => StandaloneKind::Init { device_types: Vec::new(), device_num: None },
        "shutdown" => StandaloneKind::Shutdown { device_types: Vec::new(), device_num: None },
        "set" => StandaloneKind::Set { device_types: Vec::new(), device_num: None, default_async: None },
        _ => return None,
    })
}
