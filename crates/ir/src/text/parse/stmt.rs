//! Reading statements and loops.

use super::{Parser, Result};
use crate::text::lex::Tok;
use crate::text::words;
use crate::{
    Atomic, AtomicKind, BinaryOp, Block, Case, Expr, HaloExtent, Handle, Local, LocalKind, Loop,
    LoopDirective, LoopLevels, Rows, Staged, Stmt, StmtNode, TensorProduct, Window, WindowDim,
};

impl Parser {
    /// `{ stmt* }`
    pub(super) fn block(&mut self) -> Result<Block> {
        self.expect("{")?;
        self.rest_of_block()
    }

    pub(super) fn rest_of_block(&mut self) -> Result<Block> {
        let mut block = Block::new();
        while !self.eat("}") {
            if self.is_word("local") && self.is_declaration(1) {
                self.advance();
                self.local_declaration(LocalKind::Auto)?;
                self.expect(";")?;
            } else {
                let first = self.here();
                let kind = self.stmt()?;
                block.push(StmtNode { kind, span: self.since(first) });
            }
        }
        Ok(block)
    }

    fn stmt(&mut self) -> Result<Stmt> {
        if self.is("{") {
            return Ok(Stmt::Block(self.block()?));
        }
        let compound = match self.word().filter(|_| !self.is_store()) {
            Some("if") => self.if_()?,
            Some("for") => self.for_()?,
            Some("while") => self.while_()?,
            Some("switch") => self.switch()?,
            Some("region") => self.region()?,
            Some("window") => self.window()?,
            _ => {
                let simple = self.simple()?;
                self.expect(";")?;
                simple
            }
        };
        Ok(compound)
    }

    fn simple(&mut self) -> Result<Stmt> {
        if self.is_declaration(0) {
            let local = self.local_declaration(LocalKind::Auto)?;
            return self.declared(local);
        }
        let Some(word) = self.word().filter(|_| !self.is_store()).map(str::to_owned) else {
            return self.store();
        };
        let keyword: fn(&mut Self) -> Result<Stmt> = match word.as_str() {
            "declare" => |p| {
                let local = p.local()?;
                p.declared(local)
            },
            "do" => Self::do_,
            "call" => Self::call,
            "print" => Self::print,
            "stop" => |p| {
                let assertion = if p.is(";") { None } else { Some(p.string()?) };
                Ok(Stmt::Stop { assertion })
            },
            "break" => |_| Ok(Stmt::Break),
            "continue" => |_| Ok(Stmt::Continue),
            "host" => |_| Ok(Stmt::Host),
            "return" => {
                |p| if p.is(";") { Ok(Stmt::Return(None)) } else { Ok(Stmt::Return(Some(p.value()?))) }
            }
            "atomic" => Self::atomic,
            "directive" => Self::directive,
            "barrier" => |p| Ok(Stmt::Barrier(p.one_of(words::SCOPE, "a scope")?)),
            "reduce" => Self::reduce,
            "measure" => Self::measure,
            "mma" => Self::tensor_product,
            "vload" => Self::vload,
            "vstore" => Self::vstore,
            _ => return self.store(),
        };
        self.advance();
        keyword(self)
    }

    fn declared(&mut self, local: Handle<Local>) -> Result<Stmt> {
        let init = if self.eat("=") { Some(self.value()?) } else { None };
        Ok(Stmt::Declare { local, init })
    }

    /// Does a word stand here that is a local's name, though it may also begin a statement?
    fn is_store(&self) -> bool {
        match self.peek(1) {
            Tok::Punct("[" | "." | "->") => true,
            Tok::Punct(p) => p.ends_with('=') && !matches!(*p, "==" | "!=" | "<=" | ">="),
            _ => false,
        }
    }

    fn store(&mut self) -> Result<Stmt> {
        let place = self.place()?;
        let op = self.assignment()?;
        Ok(Stmt::Store { place, op, value: self.value()? })
    }

    /// `=`, `+=`, `op(<) =`
    fn assignment(&mut self) -> Result<Option<BinaryOp>> {
        if self.eat("=") {
            return Ok(None);
        }
        if self.eat_word("op") {
            self.expect("(")?;
            let op = self.one_of(words::BINARY, "an operator")?;
            self.expect(")")?;
            self.expect("=")?;
            return Ok(Some(op));
        }
        let op = match self.tok() {
            Tok::Punct(p) => p.strip_suffix('=').and_then(|op| words::value(words::BINARY, op)),
            _ => None,
        };
        if op.is_none() {
            return self.expected("an assignment");
        }
        self.advance();
        Ok(op)
    }

    fn call(&mut self) -> Result<Stmt> {
        let direct = match self.tok() {
            Tok::Word { text, .. } => self.functions.contains_key(text) && *self.peek(1) == Tok::Punct("("),
            _ => false,
        };
        let dest = if direct {
            None
        } else {
            let place = self.place()?;
            self.expect("=")?;
            Some(place)
        };
        let function = self.function_name()?;
        Ok(Stmt::Call { dest, function, args: self.args()? })
    }

    fn print(&mut self) -> Result<Stmt> {
        let format = self.string()?;
        let mut args = vec![];
        while self.eat(",") {
            args.push(self.value()?);
        }
        Ok(Stmt::Print { format, args })
    }

    fn condition(&mut self) -> Result<Handle<crate::Expr>> {
        self.expect("(")?;
        let cond = self.value()?;
        self.expect(")")?;
        Ok(cond)
    }

    fn if_(&mut self) -> Result<Stmt> {
        self.expect_word("if")?;
        let cond = self.condition()?;
        let then = self.block()?;
        let mut otherwise = Block::new();
        if self.eat_word("else") {
            otherwise = if self.is_word("if") { vec![self.if_()?.into()] } else { self.block()? };
        }
        Ok(Stmt::If { cond, then, otherwise })
    }

    fn optional_condition(&mut self) -> Result<Option<Handle<crate::Expr>>> {
        if *self.peek(1) == Tok::Punct(")") {
            self.expect("(")?;
            self.expect(")")?;
            return Ok(None);
        }
        self.condition().map(Some)
    }

    fn step(&mut self) -> Result<Block> {
        if self.is_word("step") && *self.peek(1) == Tok::Punct("{") {
            self.advance();
            return self.block();
        }
        Ok(Block::new())
    }

    fn while_(&mut self) -> Result<Stmt> {
        self.expect_word("while")?;
        let cond = self.optional_condition()?;
        let body = self.block()?;
        Ok(Stmt::While { cond, body, step: self.step()?, test_last: false })
    }

    fn do_(&mut self) -> Result<Stmt> {
        let body = self.block()?;
        let step = self.step()?;
        self.expect_word("while")?;
        Ok(Stmt::While { cond: self.optional_condition()?, body, step, test_last: true })
    }

    fn switch(&mut self) -> Result<Stmt> {
        self.expect_word("switch")?;
        let value = self.condition()?;
        self.expect("{")?;
        let mut cases = Vec::new();
        while !self.eat("}") {
            self.expect_word("case")?;
            cases.push(self.case()?);
        }
        Ok(Stmt::Switch { value, cases })
    }

    fn case(&mut self) -> Result<Case> {
        let mut case = Case { values: Vec::new(), default: false, body: Block::new() };
        while !self.is("{") {
            if self.eat_word("default") {
                case.default = true;
            } else {
                case.values.push(self.integer()?);
            }
            if !self.eat(",") {
                break;
            }
        }
        case.body = self.block()?;
        Ok(case)
    }

    fn atomic(&mut self) -> Result<Stmt> {
        let read = self.eat_word("read");
        let reverse = self.eat_word("reverse");
        let place = self.place()?;
        let mut kind = AtomicKind::Read;
        let mut value = None;
        if !read || self.is("=") {
            kind = self.atomic_kind(read, reverse)?;
            value = if self.eat_word("_") { None } else { Some(self.value()?) };
        }
        if self.eat_word("if") {
            kind = AtomicKind::Replace(self.value()?);
        }
        let capture = if self.eat_word("capture") { Some(self.capture()?) } else { None };
        Ok(Stmt::Atomic(Box::new(Atomic { kind, place, value, capture })))
    }

    fn atomic_kind(&mut self, read: bool, reverse: bool) -> Result<AtomicKind> {
        if let Some(fun) = self.word().and_then(words::math) {
            self.advance();
            self.expect("=")?;
            return Ok(AtomicKind::Extremum(fun));
        }
        Ok(match self.assignment()? {
            None if read => AtomicKind::Read,
            None => AtomicKind::Write,
            Some(op) if reverse => AtomicKind::ReverseUpdate(op),
            Some(op) => AtomicKind::Update(op),
        })
    }

    fn capture(&mut self) -> Result<(Handle<crate::Expr>, bool)> {
        let after = self.eat_word("after");
        if !after {
            self.expect_word("before")?;
        }
        Ok((self.place()?, after))
    }

    fn reduce(&mut self) -> Result<Stmt> {
        let grid = self.eat_word("grid");
        let scope = if grid { crate::BarrierScope::Block } else { self.one_of(words::SCOPE, "a scope")? };
        self.expect("(")?;
        let op = self.one_of(words::REDUCTION, "an operator")?;
        self.expect(":")?;
        let local = self.local()?;
        self.expect(")")?;
        if !grid {
            return Ok(Stmt::ReduceAcross { op, local, scope });
        }
        self.expect_word("param")?;
        Ok(Stmt::ReduceGrid { op, local, param: self.integer()? })
    }

    fn measure(&mut self) -> Result<Stmt> {
        let first = self.local()?;
        self.expect(",")?;
        let second = self.local()?;
        self.expect(",")?;
        Ok(Stmt::Measure { counts: [first, second, self.local()?] })
    }

    fn tensor_product(&mut self) -> Result<Stmt> {
        let sums = self.several(Self::place)?;
        self.expect("+=")?;
        let left = self.several(Self::value)?;
        self.expect_word("with")?;
        Ok(Stmt::TensorProduct(Box::new(TensorProduct { sums, left, right: self.several(Self::value)? })))
    }

    /// So many of a kind, with commas between.
    fn several<const N: usize>(
        &mut self,
        one: impl Fn(&mut Self) -> Result<Handle<Expr>>,
    ) -> Result<[Handle<Expr>; N]> {
        let first = one(self)?;
        let mut all = [first; N];
        for e in &mut all[1..] {
            self.expect(",")?;
            *e = one(self)?;
        }
        Ok(all)
    }

    fn vload(&mut self) -> Result<Stmt> {
        let n = self.integer()?;
        let dst = self.local()?;
        self.expect("=")?;
        Ok(Stmt::VectorLoad { dst, src: self.place()?, n })
    }

    fn vstore(&mut self) -> Result<Stmt> {
        let n = self.integer()?;
        let dst = self.place()?;
        self.expect("=")?;
        Ok(Stmt::VectorStore { dst, src: self.local()?, n })
    }

    fn for_(&mut self) -> Result<Stmt> {
        self.expect_word("for")?;
        self.expect("(")?;
        let (var, declared_here) = if self.is_declaration(0) {
            (self.local_declaration(LocalKind::Auto)?, true)
        } else {
            let declared = self.is_word("declare") && matches!(self.peek(1), Tok::Word { .. });
            if declared {
                self.advance();
            }
            (self.local()?, declared)
        };
        self.expect("=")?;
        let lower = self.value()?;
        self.expect(";")?;
        self.same_local(var)?;
        let compare = self.one_of(words::COMPARE, "a comparison")?;
        let bound = self.value()?;
        self.expect(";")?;
        self.same_local(var)?;
        self.expect("+=")?;
        let step = self.value()?;
        self.expect(")")?;
        let levels = if self.is("@") { Some(self.levels()?) } else { None };
        let directive = if self.is_word("loop") { Some(self.loop_directive()?) } else { None };
        let body = self.block()?;
        let l = Loop { var, declared_here, lower, compare, bound, step, body, directive, levels };
        Ok(Stmt::For(Box::new(l)))
    }

    fn window(&mut self) -> Result<Stmt> {
        self.expect_word("window")?;
        let mut arrays = Vec::new();
        while !self.is("{") {
            arrays.push(self.staged()?);
            self.eat(",");
        }
        Ok(Stmt::Window(Box::new(Window { arrays, body: self.block()? })))
    }

    fn staged(&mut self) -> Result<Staged> {
        let kind = self.one_of(words::WINDOW, "a kind of window")?;
        let name = self.string()?;
        let element = self.place()?;
        let mut dims = Vec::new();
        self.expect_word("at")?;
        while self.eat("(") {
            let pivot = self.value()?;
            self.expect(":")?;
            let before = self.halo_extent()?;
            self.expect(":")?;
            let after = self.halo_extent()?;
            self.expect(")")?;
            dims.push(WindowDim { pivot, before, after });
        }
        Ok(Staged { kind, name, element, dims, span: self.before() })
    }

    fn halo_extent(&mut self) -> Result<HaloExtent> {
        if !self.eat("[") {
            return Ok(HaloExtent::Known(self.integer()?));
        }
        let value = self.value()?;
        self.expect("]")?;
        let host = if matches!(self.tok(), Tok::Str(_)) { Some(self.host_expr()?) } else { None };
        Ok(HaloExtent::Launch { value, host })
    }

    fn same_local(&mut self, var: Handle<Local>) -> Result<()> {
        if self.local()? == var {
            Ok(())
        } else {
            self.error("a loop's header names one variable throughout")
        }
    }

    fn levels(&mut self) -> Result<LoopLevels> {
        self.expect("@")?;
        self.expect("[")?;
        let mut s = LoopLevels::default();
        self.list("]", |p| {
            match p.word() {
                Some("gang") => s.gang = true,
                Some("worker") => s.worker = true,
                Some("vector") => s.vector = true,
                Some("seq") => {}
                Some("dim") => {
                    p.advance();
                    s.dim = Some(p.integer()?);
                    return Ok(());
                }
                _ => return p.expected("gang, worker, vector, seq or dim"),
            }
            p.advance();
            Ok(())
        })?;
        Ok(s)
    }

    fn loop_directive(&mut self) -> Result<LoopDirective> {
        self.expect_word("loop")?;
        self.expect("[")?;
        let mut d = LoopDirective { span: self.before(), collapse: 1, ..LoopDirective::default() };
        self.list("]", |p| p.loop_clause(&mut d))?;
        Ok(d)
    }

    fn loop_clause(&mut self, d: &mut LoopDirective) -> Result<()> {
        let word = self.word().unwrap_or_default().to_owned();
        if !matches!(
            word.as_str(),
            "gang"
                | "worker"
                | "vector"
                | "seq"
                | "auto"
                | "independent"
                | "assumes_distinct"
                | "assumes_rows"
                | "assumes_all_rows"
                | "assumes_strides"
                | "interchanged"
                | "found"
                | "collapse"
                | "part"
                | "tile"
                | "private"
                | "reduction"
                | "search"
                | "schedule"
        ) {
            return self.expected("a clause of a loop");
        }
        self.advance();
        match word.as_str() {
            "gang" => d.gang = Some(self.optional_host_arg()?),
            "worker" => d.worker = Some(self.optional_host_arg()?),
            "vector" => d.vector = Some(self.optional_host_arg()?),
            "seq" => d.seq = true,
            "auto" => d.auto = true,
            "independent" => d.independent = true,
            "assumes_distinct" => d.assumes_distinct = true,
            "assumes_rows" => d.assumes_rows = Rows::OfElements.max(d.assumes_rows),
            "assumes_all_rows" => d.assumes_rows = Rows::All,
            "assumes_strides" => d.assumes_strides = self.launch_tests()?,
            "found" => d.found = true,
            "interchanged" => d.interchanged = self.integer()?,
            "collapse" => d.collapse = self.integer()?,
            "part" => d.part = self.integer()?,
            "tile" => d.tile = self.host_args()?,
            "private" => d.private = self.local_args()?,
            "schedule" => d.schedule = Some(self.schedule_arg()?),
            "search" => d.searches.push(self.search_args()?),
            _ => d.reductions.extend(self.reduction_args()?),
        }
        Ok(())
    }
}
