//! Reading kernels.
//!
//! The parameters get the handles 0, 1, … in each body, so a parameter's handle is the same in all.

use super::{Parser, Result, Scope};
use crate::text::lex::Tok;
use crate::text::words;
use crate::{
    Body, CpuArrays, Dim, DynamicTile, DynamicTileDim, Function, Handle, IndirectPointer, Kernel, KernelSite,
    Local, LocalKind, Param, ParamKind, Reduction, Requirements, Schedule, SharedDecl, TripCount, Variant,
};

impl Parser {
    pub(super) fn kernel(&mut self) -> Result<Kernel> {
        self.expect_word("kernel")?;
        let mut k = self.kernel_header()?;
        self.expect("{")?;
        self.scope = Scope::default();
        while self.eat_word("param") {
            let param = self.param(&k)?;
            self.expect(";")?;
            k.params.push(param);
        }
        while self.eat_word("dim") {
            let dim = self.in_host(k.function, Self::dim)?;
            self.expect(";")?;
            k.dims.push(dim);
        }
        while self.eat_word("indirect") {
            let pointer = self.indirect_pointer()?;
            self.expect(";")?;
            k.indirect_pointers.push(pointer);
        }
        let params: Vec<Local> = self.scope.body.locals.iter().map(|(_, l)| l.clone()).collect();
        self.expect_word("body")?;
        k.body = self.kernel_body(&params)?.0;
        while self.eat_word("variant") {
            let variant = self.variant(&params)?;
            k.variants.push(variant);
        }
        while self.eat_word("dynamic_tile") {
            k.cpu_dynamic_tiles.push(self.dynamic_tile()?);
            self.expect(";")?;
        }
        if self.eat_word("cpu") {
            k.cpu_arrays = match (self.eat_word("distinct"), self.eat_word("either_way")) {
                (true, _) => CpuArrays::Distinct,
                (false, true) => CpuArrays::EitherWay,
                (false, false) => CpuArrays::MayOverlap,
            };
            k.cpu = Some(self.kernel_body(&params)?.0);
        }
        self.expect("}")?;
        Ok(k)
    }

    fn kernel_header(&mut self) -> Result<Kernel> {
        let name = self.name("the kernel's name")?;
        self.expect_word("of")?;
        let function = self.function_name()?;
        let directive = self.string()?;
        let in_function =
            if self.eat_word("in") { self.string()? } else { self.module.functions[function].name.clone() };
        let site = KernelSite {
            function: in_function,
            directive,
            directive_span: self.before(),
            copy: 0,
            body_span: self.before(),
        };
        let mut k = Kernel {
            name,
            site,
            function,
            params: Vec::new(),
            dims: Vec::new(),
            serial: self.eat_word("serial"),
            gangs: self.eat_word("gangs"),
            distinct: self.eat_word("distinct"),
            distinct_rows: self.eat_word("distinct_rows"),
            distinct_in_elements: self.eat_word("distinct_in_elements"),
            strides: if self.eat_word("strides") { self.launch_tests()? } else { Vec::new() },
            num_gangs: None,
            num_workers: None,
            vector_length: None,
            row_length: None,
            schedule: None,
            overflow_guard: None,
            index64_of: None,
            fallback_of: None,
            obstacle: None,
            indirect_pointers: Vec::new(),
            body: Body::default(),
            variants: Vec::new(),
            cpu: None,
            cpu_arrays: CpuArrays::default(),
            cpu_dynamic_tiles: Vec::new(),
        };
        for (word, slot) in [
            ("num_gangs", &mut k.num_gangs),
            ("num_workers", &mut k.num_workers),
            ("vector_length", &mut k.vector_length),
            ("row_length", &mut k.row_length),
            ("overflow_guard", &mut k.overflow_guard),
        ] {
            if self.eat_word(word) {
                *slot = Some(self.host_arg()?);
            }
        }
        if self.eat_word("schedule") {
            k.schedule = Some(self.schedule_arg()?);
        }
        for (word, slot) in [("index64_of", &mut k.index64_of), ("fallback_of", &mut k.fallback_of)] {
            if self.eat_word(word) {
                *slot = Some(self.kernel_before()?);
            }
        }
        if self.eat_word("obstacle") {
            k.obstacle = Some(self.string()?);
        }
        Ok(k)
    }

    fn kernel_before(&mut self) -> Result<Handle<Kernel>> {
        let of = self.name("the kernel's name")?;
        let known = self.module.kernels.iter().find(|(_, k)| k.name == of);
        match known {
            Some((handle, _)) => Ok(handle),
            None => self.error(format!("no kernel `{of}` before this one")),
        }
    }

    fn indirect_pointer(&mut self) -> Result<IndirectPointer> {
        let item = self.integer()?;
        let mut pointer = IndirectPointer { item, stride: None, offset: 0, bytes: 0, further: false };
        if self.eat_word("every") {
            pointer.stride = Some(self.integer()?);
            self.expect_word("at")?;
            pointer.offset = self.integer()?;
            self.expect_word("for")?;
            pointer.bytes = self.integer()?;
        }
        pointer.further = self.eat_word("further");
        Ok(pointer)
    }

    /// Reads something whose names and expressions are the host function's.
    fn in_host<T>(
        &mut self,
        function: Handle<Function>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        std::mem::swap(&mut self.scope, &mut self.scopes[function.index()]);
        let result = read(self);
        std::mem::swap(&mut self.scope, &mut self.scopes[function.index()]);
        result
    }

    fn param(&mut self, k: &Kernel) -> Result<Param> {
        let local = if self.eat_word("again") {
            let first: usize = self.integer()?;
            match k.params.get(first) {
                Some(param) => param.local,
                None => return self.error("no such parameter before this one"),
            }
        } else {
            self.local_declaration(LocalKind::Param)?
        };
        self.expect("=")?;
        let kind = self.param_kind(k, local)?;
        Ok(Param { local, kind })
    }

    fn param_kind(&mut self, k: &Kernel, local: Handle<Local>) -> Result<ParamKind> {
        if self.eat_word("data") {
            let item = self.integer()?;
            let (var, _, _) = self.in_host(k.function, Self::data_var)?;
            let plane = if self.eat_word("plane") { self.integer()? } else { 0 };
            return Ok(ParamKind::Data {
                item,
                var,
                plane,
                read: self.eat_word("read"),
                written: self.eat_word("written"),
            });
        }
        if self.eat_word("value") {
            let host = self.host_expr()?;
            let ty = if self.eat(":") { self.ty()? } else { self.scope.body.locals[local].ty };
            return Ok(ParamKind::Value { host, ty });
        }
        if self.eat_word("codec") {
            return Ok(ParamKind::Codec {
                item: self.integer()?,
                parameter: self.one_of(words::CODEC_PARAMETER, "a codec parameter")?,
            });
        }
        if self.eat_word("extent") {
            return self.extent(k);
        }
        if self.eat_word("stride") {
            let (item, of) = self.of_array(k)?;
            self.expect_word("row")?;
            let row = self.integer()?;
            return Ok(ParamKind::Stride { item, of, row, rows: self.eat_word("of_rows") });
        }
        self.expect_word("reduction")?;
        self.expect("(")?;
        let op = self.one_of(words::REDUCTION, "an operator")?;
        let accumulator = if self.eat(":") { self.accumulator()? } else { local };
        self.expect(")")?;
        let reduction = Reduction { op, local: accumulator, span: self.before() };
        Ok(ParamKind::Reduction { reduction, host: self.host_expr()? })
    }

    /// The item and the parameter that an extent or a stride is of. A local that is not the parameter itself is referred to by
    /// number.
    fn of_array(&mut self, k: &Kernel) -> Result<(usize, Handle<Local>)> {
        let item = self.integer()?;
        self.expect_word("of")?;
        let of: usize = self.integer()?;
        match k.params.get(of) {
            Some(p) => Ok((item, p.local)),
            None => self.error("no such parameter before this one"),
        }
    }

    fn extent(&mut self, k: &Kernel) -> Result<ParamKind> {
        let (item, of) = self.of_array(k)?;
        self.expect_word("size")?;
        let size = self.integer()?;
        let end = self.eat_word("end");
        Ok(ParamKind::Extent { item, of, size, end, on_cpu: self.eat_word("on_cpu") })
    }

    fn accumulator(&mut self) -> Result<Handle<Local>> {
        let Tok::Index(n) = self.tok() else { return self.local() };
        let local = Handle::from_index(*n);
        self.advance();
        Ok(local)
    }

    fn dim(&mut self) -> Result<Dim> {
        let rule = self.one_of(words::GRID_RULE, "a rule")?;
        self.expect("(")?;
        let lower = self.value()?;
        self.expect(";")?;
        let compare = self.one_of(words::COMPARE, "a comparison")?;
        let bound = self.value()?;
        self.expect(";")?;
        self.expect("+=")?;
        let step = self.value()?;
        self.expect(")")?;
        Ok(Dim { rule, trips: TripCount { lower, compare, bound, step, text: self.string()? } })
    }

    fn variant(&mut self, params: &[Local]) -> Result<Variant> {
        let mut v = Variant {
            symbol: self.name("the variant's symbol")?,
            schedule: if matches!(self.tok(), Tok::Str(_)) { self.schedule()? } else { Schedule::default() },
            requires: Requirements::default(),
            block: self.triple("block")?,
            per_thread: self.triple("per_thread")?,
            vector_x: false,
            workers_y: false,
            restrict: false,
            unroll: None,
            aggregated: None,
            shared: Vec::new(),
            femtoseconds: 0,
            body: Body::default(),
        };
        while !self.is("{") {
            let word = self.word().unwrap_or_default().to_owned();
            match word.as_str() {
                "vector_x" => v.vector_x = true,
                "workers_y" => v.workers_y = true,
                "restrict" => v.restrict = true,
                "unroll" | "aggregated" => {
                    self.advance();
                    self.expect("(")?;
                    let number = Some(self.integer()?);
                    *(if word == "unroll" { &mut v.unroll } else { &mut v.aggregated }) = number;
                    self.expect(")")?;
                    continue;
                }
                other if v.requires.set(other) => {}
                _ => {
                    return self
                        .expected("`{`, a requirement, vector_x, workers_y, restrict, unroll or aggregated");
                }
            }
            self.advance();
        }
        (v.body, v.shared) = self.kernel_body(params)?;
        Ok(v)
    }

    /// `"a" 4 (128 "r" "r")`
    fn dynamic_tile(&mut self) -> Result<DynamicTile> {
        let (array, element) = (self.string()?, self.integer()?);
        let mut dims = Vec::new();
        while self.eat("(") {
            let (span, before, after) = (self.integer()?, self.host_expr()?, self.host_expr()?);
            self.expect(")")?;
            dims.push(DynamicTileDim { span, before, after });
        }
        Ok(DynamicTile { array, element, dims })
    }

    /// `block(128, 1, 1)`
    fn triple(&mut self, word: &str) -> Result<[u32; 3]> {
        self.expect_word(word)?;
        self.expect("(")?;
        let list = self.list(")", Self::integer)?;
        list.try_into().or_else(|_| self.error("three numbers stand here"))
    }

    fn kernel_body(&mut self, params: &[Local]) -> Result<(Body, Vec<SharedDecl>)> {
        self.expect("{")?;
        let mut params = params.to_vec();
        while self.is_word("param") && matches!(self.peek(1), Tok::Number(_)) {
            self.advance();
            let at: usize = self.integer()?;
            let own = self.parsed_local(LocalKind::Param)?;
            self.expect(";")?;
            match params.get_mut(at) {
                Some(param) => *param = own,
                None => return self.error("the kernel has no such parameter"),
            }
        }
        self.scope = Scope::default();
        for param in params {
            let name = param.name.clone();
            self.scope.names.insert(name, self.scope.body.locals.append(param));
        }
        let mut shared = Vec::new();
        while self.is_word("shared") && self.is_declaration(1) {
            self.advance();
            let local = self.local_declaration(LocalKind::Auto)?;
            let dynamic = if self.eat_word("dynamic_tile") { Some(self.dynamic_tile()?) } else { None };
            shared.push(SharedDecl { local, dynamic });
            self.expect(";")?;
        }
        self.scope.body.block = self.rest_of_block()?;
        Ok((std::mem::take(&mut self.scope.body), shared))
    }
}
