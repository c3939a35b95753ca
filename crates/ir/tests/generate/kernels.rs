//! Kernels with their variants.

use super::*;

impl Gen<'_> {
    pub(super) fn kernel(&mut self) {
        let host = self.module.functions.handles().nth(1).expect("a function");
        let params = self.begin();
        let data = |var| ParamKind::Data { item: 0, var, plane: 1, read: true, written: false };
        let mut launch: Vec<Param> = Vec::new();
        for local in &params {
            let ty = self.body.locals[*local].ty;
            let kind = match self.module.types.kind(ty) {
                TypeKind::Pointer { .. } => data(DataVar::Local(params[2])),
                _ if launch.len() == 2 => ParamKind::Reduction {
                    reduction: Reduction { op: ReductionOp::Add, local: *local, span: Span::default() },
                    host: self.host(),
                },
                _ => ParamKind::Value { host: self.host(), ty },
            };
            launch.push(Param { local: *local, kind });
        }
        // The third parameter is the reduction that `mapped` names.
        launch[2] = Param {
            local: params[1],
            kind: ParamKind::Reduction {
                reduction: Reduction { op: ReductionOp::Add, local: params[1], span: Span::default() },
                host: self.host(),
            },
        };
        launch[1] = Param { local: params[2], kind: data(DataVar::Local(params[2])) };
        let around = Around { kernel: true, compute: true, ..Around::default() };
        self.body.block = self.block(around);
        let body = std::mem::take(&mut self.body);
        let variant = self.variant();
        let kernel = Kernel {
            name: "f0_3".into(),
            site: KernelSite {
                function: "f0".into(),
                directive: "parallel loop".into(),
                directive_span: Span::default(),
                copy: 0,
                body_span: Span::default(),
            },
            function: host,
            params: launch,
            dims: vec![self.dim(host)],
            serial: false,
            gangs: false,
            distinct: false,
            distinct_rows: false,
            distinct_in_elements: false,
            strides: self.launch_tests(),
            num_gangs: self.optional_host(),
            num_workers: self.optional_host(),
            vector_length: self.optional_host(),
            row_length: self.optional_host(),
            schedule: self.given_schedule(),
            overflow_guard: self.optional_host(),
            index64_of: None,
            fallback_of: None,
            obstacle: self.choices.flag().then(|| "a \"dependence\"".into()),
            indirect_pointers: self.indirect_pointers(),
            body,
            variants: vec![variant],
            cpu: None,
            cpu_arrays: CpuArrays::default(),
            cpu_dynamic_tiles: vec![],
        };
        self.module.kernels.append(kernel);
    }

    fn indirect_pointers(&mut self) -> Vec<IndirectPointer> {
        let stride = self.choices.flag().then_some(24);
        let (offset, bytes) = if stride.is_some() { (16, 8) } else { (0, 0) };
        let one = IndirectPointer { item: 1, stride, offset, bytes, further: self.choices.flag() };
        if self.choices.flag() { vec![one] } else { vec![] }
    }

    pub(super) fn variant(&mut self) -> Variant {
        self.begin();
        let tile = self.module.types.array(self.pool.double, 128);
        let tile = local(&mut self.body, "tile", tile, LocalKind::Temp);
        let around = Around { kernel: true, compute: true, mapped: true, ..Around::default() };
        self.body.block = self.block(around);
        Variant {
            femtoseconds: 0,
            symbol: "f0_3_v".into(),
            schedule: "grid(i:x) block(128) vectorize".parse().expect("a schedule"),
            requires: Requirements::default(),
            block: [128, 1, 1],
            per_thread: [1, 2, 1],
            vector_x: self.choices.flag(),
            workers_y: self.choices.flag(),
            restrict: self.choices.flag(),
            unroll: self.choices.flag().then_some(4),
            aggregated: self.choices.flag().then_some(1024),
            shared: vec![tile.into()],
            body: std::mem::take(&mut self.body),
        }
    }

    pub(super) fn dim(&mut self, host: Handle<Function>) -> Dim {
        let int = self.pool.int;
        let body = self.module.functions[host].body.as_mut().expect("a body");
        let n = body.local_named("n").expect("every body has it");
        let (lower, bound, step) = (body.int(0, int), body.load_local(n), body.int(1, int));
        let trips = TripCount { lower, compare: Compare::Lt, bound, step, text: "n".into() };
        Dim { rule: GridRule::Trips, trips }
    }
}
