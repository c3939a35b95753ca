//! Compute and data constructs, their clauses, and standalone directives.

use super::*;

impl Gen<'_> {
    pub(super) fn region(&mut self, around: Around) -> Stmt {
        use RegionKind::*;
        let kind = if around.compute {
            self.choices.pick(&[Data, HostData])
        } else {
            self.choices.pick(&[Parallel, Kernels, Serial, Data, HostData])
        };
        let clauses = RegionClauses {
            if_: self.optional_host(),
            self_: self.choices.flag().then(|| self.optional_host()),
            if_present: self.choices.flag(),
            async_: self.async_(),
            waits: self.waits(),
            num_gangs: self.optional_host(),
            num_workers: self.optional_host(),
            vector_length: self.optional_host(),
            default: self.choices.pick(&[
                None,
                Some(DefaultData::None),
                Some(DefaultData::Present),
                Some(DefaultData::IfMapped),
            ]),
            data: self.data(),
            list: vec![],
            compression: self.compression(),
            private: self.some_locals(),
            firstprivate: self.some_locals(),
            reductions: self.reductions(),
        };
        let compute = around.compute || kind.is_compute();
        Stmt::Region(Box::new(Region {
            kind,
            combined: self.choices.flag(),
            clauses,
            body: self.block(Around { compute, while_: false, ..around }),
            directive_span: Span::default(),
            copy: 0,
            body_span: Span::default(),
            kernels: Vec::new(),
        }))
    }

    pub(super) fn async_(&mut self) -> Option<Async> {
        self.choices.flag().then(|| Async { queue: self.optional_host() })
    }

    pub(super) fn waits(&mut self) -> Vec<Wait> {
        let queues = |gen_: &mut Self| (0..gen_.choices.below(3)).map(|_| gen_.host()).collect();
        (0..self.choices.below(3))
            .map(|_| Wait { devnum: self.optional_host(), queues: queues(self), tasks: false })
            .collect()
    }

    pub(super) fn data(&mut self) -> Vec<DataItem> {
        (0..self.choices.below(3)).map(|_| self.item()).collect()
    }

    pub(super) fn item(&mut self) -> DataItem {
        use DataKind::*;
        let (var, base, mut ty) = match self.choices.below(3) {
            0 => {
                let l = self.choices.pick(&self.visible);
                let local = &self.body.locals[l];
                (DataVar::Local(l), local.name.clone(), local.ty)
            }
            1 => {
                let global = self.choices.pick(&self.module.globals.handles().collect::<Vec<_>>());
                let g = &self.module.globals[global];
                (DataVar::Global(global), g.name.clone(), g.ty)
            }
            _ => {
                let place = self.member(0, 1);
                (DataVar::Member(place), "this->x".to_owned(), self.pool.double)
            }
        };
        if self.choices.below(8) == 7 {
            ty = self.pool.double;
        }
        let section = (0..self.choices.below(3))
            .map(|_| SectionDim { lower: self.optional_host(), length: self.optional_host() })
            .collect();
        let flags = self.flags();
        let name = self.choices.pick(&["a[0:n]", "a"]).to_owned();
        let kinds = [
            Copy,
            Copyin,
            Copyout,
            Create,
            NoCreate,
            Present,
            Delete,
            Deviceptr,
            Attach,
            Detach,
            UpdateSelf,
            UpdateDevice,
            UseDevice,
        ];
        let kind = self.choices.pick(&kinds);
        let compression = (self.choices.below(6) == 5).then(|| self.compressed_item());
        let row = (self.choices.below(6) == 5).then_some(12);
        let pointers = (self.choices.below(6) == 5).then(|| PointerTypes::parse("24:8,16>1;8:0")).flatten();
        DataItem {
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
            span: Span::default(),
        }
    }

    fn flags(&mut self) -> DataFlags {
        let [implicit, zero, readonly, always_in, always_out, private, address, indirect] =
            [0; 8].map(|_| self.choices.flag());
        let [must_be_present, finalize, keeps_address, resident, object, followed, followed_written] =
            [0; 7].map(|_| self.choices.flag());
        let [rows, rows_read, one_place] = [0; 3].map(|_| self.choices.flag());
        DataFlags {
            implicit,
            zero,
            readonly,
            always_in,
            always_out,
            private,
            rows,
            address,
            indirect,
            must_be_present,
            finalize,
            keeps_address,
            resident,
            object,
            followed,
            followed_written,
            rows_read,
            one_place,
        }
    }

    pub(super) fn compressed_item(&mut self) -> Compression {
        let scheme = self.choices.pick(&[Scheme::Range, Scheme::Affine, Scheme::Block]);
        let range = self.choices.flag().then(|| (self.host(), self.host()));
        Compression {
            format: Format { scheme, bits: 12, layout: Layout::Aos },
            float_bits: 64,
            members: 1 + self.choices.below(2) as u32,
            range,
            span: Span::default(),
        }
    }

    pub(super) fn compression(&mut self) -> Vec<Compressed> {
        (0..self.choices.below(2))
            .map(|_| {
                let l = self.choices.pick(&self.visible);
                let Local { name, ty, .. } = self.body.locals[l].clone();
                let format = self.choices.flag().then_some(Format {
                    scheme: Scheme::Affine,
                    bits: 8,
                    layout: Layout::Soa,
                });
                Compressed { var: DataVar::Local(l), name, ty, format, span: Span::default() }
            })
            .collect()
    }

    pub(super) fn directive(&mut self) -> Stmt {
        let device_types = vec!["nvidia".to_owned(); self.choices.below(3)];
        let device_num = self.optional_host();
        let kind = match self.choices.below(8) {
            0 => StandaloneKind::Update,
            1 => StandaloneKind::EnterData,
            2 => StandaloneKind::ExitData,
            3 => StandaloneKind::Wait,
            4 => StandaloneKind::Declare,
            5 => StandaloneKind::Init { device_types, device_num },
            6 => StandaloneKind::Shutdown { device_types, device_num },
            _ => StandaloneKind::Set { device_types, device_num, default_async: self.optional_host() },
        };
        Stmt::Directive(Box::new(Standalone {
            kind,
            if_: self.optional_host(),
            async_: self.async_(),
            waits: self.waits(),
            data: self.data(),
            list: vec![],
            if_present: self.choices.flag(),
            finalize: self.choices.flag(),
            directive_span: Span::default(),
        }))
    }
}
