//! Makes well-typed modules out of a list of random choices. A list that ends gives zeros, which always
//! choose the simplest, so every list gives a finite module and a shorter one a simpler module.

mod constructs;
mod exprs;
mod kernels;

use accl_ir::*;
use accl_source::Span;

pub struct Choices {
    list: Vec<u32>,
    at: usize,
}

impl Choices {
    pub fn new(list: Vec<u32>) -> Self {
        Choices { list, at: 0 }
    }
    pub fn below(&mut self, n: usize) -> usize {
        let choice = self.list.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        choice as usize % n.max(1)
    }
    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// The types that expressions are made of.
#[derive(Clone)]
struct Pool {
    int: Handle<Type>,
    long: Handle<Type>,
    byte: Handle<Type>,
    boolean: Handle<Type>,
    single: Handle<Type>,
    double: Handle<Type>,
    /// `f64*`
    pointer: Handle<Type>,
    /// `struct P*`
    node: Handle<Type>,
    /// `struct P { f64 x; i32 k[2]; struct P* next; }`
    structure: Handle<Type>,
}

impl Pool {
    fn new(types: &mut Types) -> Pool {
        let (int, double) = (types.i32(), types.float(64));
        let name = "P".to_owned();
        let def = types.structs.append(StructDef { name, fields: Vec::new(), size: 24, align: 8 });
        let structure = types.intern(TypeKind::Struct(def));
        let node = types.pointer(structure);
        let pair = types.array(int, 2);
        let field = |name: &str, ty, offset| Field {
            name: name.to_owned(),
            ty,
            offset,
            named: match offset {
                0 => Named::Nowhere,
                8 => Named::InClass,
                16 => Named::InDerived,
                _ => Named::Everywhere,
            },
            reference: offset == 0,
        };
        types.structs[def].fields = vec![field("x", double, 0), field("k", pair, 8), field("next", node, 16)];
        Pool {
            int,
            long: types.int(64, true),
            byte: types.int(8, false),
            boolean: types.bool(),
            single: types.float(32),
            double,
            pointer: types.pointer(double),
            node,
            structure,
        }
    }
    fn scalars(&self) -> [Handle<Type>; 8] {
        [self.int, self.double, self.pointer, self.long, self.single, self.byte, self.boolean, self.node]
    }
    fn numbers(&self) -> [Handle<Type>; 5] {
        [self.int, self.double, self.long, self.single, self.byte]
    }
}

/// What may stand where a statement is made.
#[derive(Clone, Copy, Default)]
struct Around {
    depth: usize,
    while_: bool,
    compute: bool,
    /// In a mapped body.
    mapped: bool,
    kernel: bool,
}

struct Gen<'c> {
    choices: &'c mut Choices,
    module: Module,
    pool: Pool,
    callee: Handle<Function>,
    body: Body,
    /// May be read; those that are loop variables must not be written.
    visible: Vec<Handle<Local>>,
    writable: Vec<Handle<Local>>,
}

/// A module from these choices.
pub fn module(choices: &mut Choices) -> Module {
    let mut module = Module { file: "a \"b\".c".into(), ..Module::default() };
    let pool = Pool::new(&mut module.types);
    let table = module.types.array(pool.double, 10);
    let global = |name: &str, ty, value| Global {
        name: name.into(),
        ty,
        span: Span::default(),
        reference: false,
        constant: value != ConstValue::Int(0),
        value: (value != ConstValue::Int(0)).then_some(value),
        link_name: (value == ConstValue::Int(0)).then(|| "_ZN1n1tE".into()),
        foreign: None,
    };
    module.globals.append(global("table", table, ConstValue::Int(0)));
    module.globals.append(global("N", pool.int, ConstValue::Int(-7)));
    module.globals.append(global("ns::eps", pool.double, ConstValue::Float(1e-9)));
    let callee = callee(&mut module, &pool);
    let mut g =
        Gen { choices, module, pool, callee, body: Body::default(), visible: vec![], writable: vec![] };
    for n in 0..1 + g.choices.below(2) {
        g.function(n);
    }
    if g.choices.flag() {
        g.kernel();
    }
    g.module
}

fn local(body: &mut Body, name: &str, ty: Handle<Type>, kind: LocalKind) -> Handle<Local> {
    let name = body.unique_name(name);
    body.locals.append(Local { name, ty, kind, reference: false, span: Span::default() })
}

fn callee(module: &mut Module, pool: &Pool) -> Handle<Function> {
    let mut body = Body::default();
    let params = vec![
        local(&mut body, "n", pool.int, LocalKind::Param),
        local(&mut body, "x", pool.double, LocalKind::Param),
    ];
    let result = body.load_local(params[1]);
    body.block.push(Stmt::Return(Some(result)).into());
    module.functions.append(function("ns::g", "ns_g", params, pool.double, body))
}

fn function(
    name: &str,
    symbol: &str,
    params: Vec<Handle<Local>>,
    result: Handle<Type>,
    body: Body,
) -> Function {
    let (name, symbol) = (name.to_owned(), symbol.to_owned());
    let span = Span::default();
    let link_name = Some(format!("_Z1{symbol}"));
    Function {
        name,
        symbol,
        params,
        result,
        body: Some(body),
        routine: None,
        has_regions: false,
        link_name,
        span,
    }
}

impl Gen<'_> {
    fn begin(&mut self) -> Vec<Handle<Local>> {
        self.body = Body::default();
        let (types, pool) = (&mut self.module.types, self.pool.clone());
        let matrix = types.array(pool.double, 3);
        let matrix = types.array(matrix, 2);
        let restrict = types.intern(TypeKind::Pointer {
            to: pool.double,
            constant: true,
            restrict: true,
            space: Space::Global,
        });
        let mut params = Vec::new();
        for (name, ty) in [
            ("n", pool.int),
            ("s", pool.double),
            ("p", pool.pointer),
            ("value", pool.long),
            ("if", pool.single),
            ("c", pool.byte),
            ("flag", pool.boolean),
            ("this", pool.node),
            ("m", matrix),
            ("r", pool.structure),
            ("q", restrict),
        ] {
            let kind = if name == "this" { LocalKind::This } else { LocalKind::Param };
            params.push(local(&mut self.body, name, ty, kind));
        }
        self.visible = params.clone();
        self.writable = params.clone();
        params
    }

    fn function(&mut self, number: usize) {
        let params = self.begin();
        self.body.block = self.block(Around::default());
        let name = format!("f{number}");
        let result = self.module.types.void();
        let body = std::mem::take(&mut self.body);
        self.module.functions.append(function(&name, &name, params, result, body));
    }

    fn block(&mut self, around: Around) -> Block {
        let before = (self.visible.len(), self.writable.len());
        let count = self.choices.below(if around.depth == 0 { 8 } else { 4 });
        let block = (0..count).map(|_| StmtNode::from(self.stmt(around))).collect();
        self.visible.truncate(before.0);
        self.writable.truncate(before.1);
        block
    }

    fn stmt(&mut self, mut around: Around) -> Stmt {
        around.depth += 1;
        let compound = around.depth < 4;
        match self.choices.below(23) {
            0..=3 => self.store(),
            4 => self.update(),
            5 | 6 => self.declare(),
            7 => self.call(),
            8 if compound => {
                Stmt::If { cond: self.scalar(), then: self.block(around), otherwise: self.block(around) }
            }
            9 | 10 if compound => self.for_(around),
            11 if compound => self.while_(around),
            12 if compound => self.switch(around),
            13 if compound => Stmt::Block(self.block(around)),
            14 => self.atomic(),
            15 | 16 if compound && !around.kernel => self.region(around),
            17 if !around.kernel => self.directive(),
            18 if !around.kernel => Stmt::Host,
            19 if around.while_ => {
                if self.choices.flag() {
                    Stmt::Break
                } else {
                    Stmt::Continue
                }
            }
            20 if around.mapped && around.depth == 1 => self.mapped(),
            21 => match self.choices.below(3) {
                0 => Stmt::Stop { assertion: None },
                1 => Stmt::Stop { assertion: Some("a \"b\" \\ c".to_owned()) },
                _ => Stmt::Print { format: "%d\t%g%%\n".to_owned(), args: self.args() },
            },
            _ => self.store(),
        }
    }

    fn mapped(&mut self) -> Stmt {
        let double = self.pool.double;
        let s = self.local_of(double);
        match self.choices.below(5) {
            0 => Stmt::Barrier(BarrierScope::Block),
            1 => Stmt::Barrier(BarrierScope::Warp),
            2 => Stmt::ReduceAcross { op: ReductionOp::Max, local: s, scope: BarrierScope::Warp },
            3 => Stmt::ReduceGrid { op: ReductionOp::Add, local: s, param: 2 },
            _ => {
                let four = self.module.types.array(double, 4);
                let dst = local(&mut self.body, "four", four, LocalKind::Temp);
                Stmt::VectorLoad { dst, src: self.place(double, 1), n: 4 }
            }
        }
    }

    fn store(&mut self) -> Stmt {
        let ty = self.choices.pick(&self.pool.scalars());
        let value = self.value(ty, 3);
        Stmt::Store { place: self.place(ty, 2), op: None, value }
    }

    fn update(&mut self) -> Stmt {
        let ty = self.choices.pick(&self.pool.numbers());
        let op = self.arithmetic(ty);
        let value = self.value(ty, 2);
        Stmt::Store { place: self.place(ty, 2), op: Some(op), value }
    }

    fn declare(&mut self) -> Stmt {
        let ty = self.choices.pick(&self.pool.scalars());
        let kind = if self.choices.flag() { LocalKind::Temp } else { LocalKind::Auto };
        if self.choices.below(6) == 5 {
            let extent = self.value(self.pool.int, 1);
            let of = self.pool.double;
            let vla = self.module.types.intern(TypeKind::Array { of, len: ArrayLen::Expr(extent) });
            return Stmt::Declare { local: local(&mut self.body, "vla", vla, kind), init: None };
        }
        let init = if self.choices.flag() { Some(self.value(ty, 2)) } else { None };
        let new = local(&mut self.body, "t", ty, kind);
        self.visible.push(new);
        self.writable.push(new);
        Stmt::Declare { local: new, init }
    }

    fn args(&mut self) -> Vec<Handle<Expr>> {
        vec![self.value(self.pool.int, 2), self.value(self.pool.double, 2)]
    }

    fn call(&mut self) -> Stmt {
        let dest = if self.choices.flag() { Some(self.place(self.pool.double, 2)) } else { None };
        Stmt::Call { dest, function: self.callee, args: self.args() }
    }

    fn scalar(&mut self) -> Handle<Expr> {
        let ty = self.choices.pick(&self.pool.scalars());
        self.value(ty, 2)
    }

    fn for_(&mut self, around: Around) -> Stmt {
        let int = self.pool.int;
        let (lower, bound) = (self.value(int, 2), self.value(int, 2));
        let step = self.choices.pick(&[1, -1, 4]);
        let step = self.body.int(step, int);
        let var = local(&mut self.body, "i", int, LocalKind::Auto);
        let declared_here = self.choices.below(3) != 2;
        let mut directive =
            if self.choices.flag() && !around.kernel { Some(self.loop_directive()) } else { None };
        let levels = if self.choices.flag() { Some(self.levels()) } else { None };
        // Gangs share no loop that searches for one of them.
        if let (Some(d), Some(LoopLevels { gang: true, .. } | LoopLevels { dim: Some(_), .. })) =
            (&mut directive, &levels)
        {
            d.searches.clear();
        }
        let compare = self.choices.pick(&[Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge, Compare::Ne]);
        self.visible.push(var);
        let body = self.block(Around { while_: false, ..around });
        self.visible.retain(|l| *l != var);
        Stmt::For(Box::new(Loop { var, declared_here, lower, compare, bound, step, body, directive, levels }))
    }

    fn levels(&mut self) -> LoopLevels {
        let [gang, worker, vector] = [0; 3].map(|_| self.choices.flag());
        let dim = if self.choices.flag() { Some(self.choices.below(3) as u8) } else { None };
        LoopLevels { gang, worker, vector, dim }
    }

    fn loop_directive(&mut self) -> LoopDirective {
        let level = |g: &mut Self| g.choices.flag().then(|| g.optional_host());
        LoopDirective {
            span: Span::default(),
            assumes_distinct: self.choices.flag(),
            assumes_rows: self.choices.pick(&[Rows::None, Rows::OfElements, Rows::All]),
            assumes_strides: self.launch_tests(),
            interchanged: u32::from(self.choices.flag()),
            found: self.choices.flag(),
            gang: level(self),
            worker: level(self),
            vector: level(self),
            seq: self.choices.flag(),
            auto: self.choices.flag(),
            independent: self.choices.flag(),
            collapse: 1 + self.choices.below(3) as u32,
            part: self.choices.below(3) as u32,
            tile: (0..self.choices.below(3)).map(|_| self.host()).collect(),
            private: self.some_locals(),
            reductions: self.reductions(),
            searches: self.searches(),
            schedule: self.given_schedule(),
        }
    }

    fn launch_tests(&mut self) -> Vec<LaunchTest> {
        let test = |g: &mut Self| LaunchTest { host: g.host(), shown: "w > \"m\"".into() };
        (0..self.choices.below(3)).map(|_| test(self)).collect()
    }

    fn given_schedule(&mut self) -> Option<GivenSchedule> {
        let text = self.choices.pick(&["", "vectorize", "grid(j:x, i:y) block(64, 4)"]);
        let given = GivenSchedule { schedule: text.parse().expect("a schedule"), ..GivenSchedule::default() };
        self.choices.flag().then_some(given)
    }

    fn host(&mut self) -> HostExpr {
        let (text, value) = self.choices.pick(&[
            ("n", None),
            ("32", Some(32)),
            ("N * 2", Some(20)),
            ("\"\\\n", None),
            ("-1", Some(-1)),
        ]);
        HostExpr { text: text.to_owned(), span: Span::default(), value }
    }

    fn optional_host(&mut self) -> Option<HostExpr> {
        if self.choices.flag() { Some(self.host()) } else { None }
    }

    fn some_locals(&mut self) -> Vec<Handle<Local>> {
        (0..self.choices.below(3)).map(|_| self.choices.pick(&self.visible)).collect()
    }

    fn local_of(&mut self, ty: Handle<Type>) -> Handle<Local> {
        let fit: Vec<_> = self.writable.iter().copied().filter(|l| self.body.locals[*l].ty == ty).collect();
        self.choices.pick(&fit)
    }

    fn reductions(&mut self) -> Vec<Reduction> {
        use ReductionOp::*;
        let ops = [Add, Mul, Max, Min, BitAnd, BitOr, BitXor, LogicalAnd, LogicalOr];
        (0..self.choices.below(3))
            .map(|_| {
                let (op, int) = (self.choices.pick(&ops), self.pool.int);
                Reduction { op, local: self.local_of(int), span: Span::default() }
            })
            .collect()
    }

    fn searches(&mut self) -> Vec<Search> {
        (0..self.choices.below(2))
            .map(|_| {
                let (op, int) = (self.choices.pick(&[ReductionOp::Min, ReductionOp::Max]), self.pool.int);
                let places = (0..self.choices.below(3)).map(|_| self.local_of(int)).collect();
                Search { op, best: self.local_of(int), last: self.choices.flag(), places }
            })
            .collect()
    }

    fn while_(&mut self, around: Around) -> Stmt {
        let inside = Around { while_: true, ..around };
        Stmt::While {
            cond: if self.choices.flag() { Some(self.scalar()) } else { None },
            body: self.block(inside),
            step: self.block(Around { while_: false, ..around }),
            test_last: self.choices.flag(),
        }
    }

    fn switch(&mut self, around: Around) -> Stmt {
        let value = self.value(self.pool.int, 2);
        let count = self.choices.below(4);
        let default = self.choices.below(4);
        let cases = (0..count)
            .map(|n| {
                let values = (0..self.choices.below(3)).map(|k| n as i64 * 3 - k as i64).collect();
                Case { values, default: n == default, body: self.block(around) }
            })
            .collect();
        Stmt::Switch { value, cases }
    }

    fn atomic(&mut self) -> Stmt {
        let ty = self.choices.pick(&self.pool.numbers());
        let (op, place) = (self.arithmetic(ty), self.place(ty, 2));
        let kind = match self.choices.below(6) {
            0 => AtomicKind::Read,
            1 => AtomicKind::Write,
            2 => AtomicKind::Update(op),
            3 => AtomicKind::ReverseUpdate(op),
            4 => AtomicKind::Replace(self.value(ty, 2)),
            _ => AtomicKind::Extremum(MathFn::Max),
        };
        let read = kind == AtomicKind::Read;
        let value = if read { None } else { Some(self.value(ty, 2)) };
        let after = self.choices.flag() && kind.expected().is_none();
        let capture = if read || self.choices.flag() { Some((self.place(ty, 1), after)) } else { None };
        Stmt::Atomic(Box::new(Atomic { kind, place, value, capture }))
    }
}
