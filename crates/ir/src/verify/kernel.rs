//! Rules for kernels.

use super::{Checker, Stage, VerifyError, module_error};
use crate::{
    ArrayLen, Body, Dim, Handle, Kernel, Module, Param, ParamKind, Requirements, Type, TypeKind, Types,
    Variant,
};

pub(super) fn kernel(module: &Module, k: &Kernel, errors: &mut Vec<VerifyError>) {
    let name = format!("kernel `{}`", k.name);
    body(module, k, &k.body, name.clone(), Stage::Scheduled(k), errors);
    for v in &k.variants {
        let place = format!("variant `{}` of {name}", v.symbol);
        body(module, k, &v.body, place.clone(), Stage::Variant(k), errors);
        variant(module, v, place, errors);
    }
    if let Some(cpu) = &k.cpu {
        body(module, k, cpu, format!("cpu body of {name}"), Stage::Cpu(k), errors);
    }
    if let Some(last) = k.variants.last() {
        if (Requirements { free_lanes: false, few_blocks: false, ..last.requires }) != Requirements::default()
        {
            errors.push(error(&name, "its last variant needs something"));
        }
    }
    if (k.serial || k.gangs) && !k.dims.is_empty() || k.dims.len() > 3 {
        errors.push(error(&name, "its dimensions do not go with its kind"));
    }
    launch(module, k, &name, errors);
}

fn error(place: &str, rule: impl Into<String>) -> VerifyError {
    VerifyError { place: place.to_owned(), ..module_error(rule.into()) }
}

fn body(
    module: &Module,
    k: &Kernel,
    body: &Body,
    place: String,
    stage: Stage<'_>,
    errors: &mut Vec<VerifyError>,
) {
    let mut checker = Checker::new(module, body, place, stage);
    for (index, param) in k.params.iter().enumerate() {
        checker.param(index, param);
    }
    if checker.errors.is_empty() {
        checker.whole_body();
    }
    errors.append(&mut checker.errors);
}

impl Checker<'_> {
    /// The parameter's local exists in this body and has a type that its kind takes.
    fn param(&mut self, index: usize, param: &Param) {
        let Some(local) = self.body.locals.get(param.local) else {
            return self.report(format!("the local of parameter {index} does not exist"));
        };
        match &param.kind {
            ParamKind::Data { .. } => {
                self.rule(self.is_pointer(local.ty), |_| {
                    format!("the data parameter `{}` is no pointer", local.name)
                });
            }
            ParamKind::Value { ty, .. } => {
                self.rule(self.same(local.ty, *ty), |_| {
                    format!("the parameter `{}` has not the type of its value", local.name)
                });
            }
            ParamKind::Codec { .. } => {
                self.rule(self.is_arithmetic(local.ty), |_| {
                    format!("the codec parameter `{}` is no number", local.name)
                });
            }
            ParamKind::Extent { of, size, .. } => {
                let long = self.module.types.get(local.ty) == Some(&TypeKind::Int { bits: 64, signed: true });
                let found = self.body.locals.get(*of).is_some() && *size > 0;
                self.rule(long && found, |_| format!("the extent `{}` is of no array", local.name));
            }
            ParamKind::Stride { of, row, .. } => {
                let long = self.module.types.get(local.ty) == Some(&TypeKind::Int { bits: 64, signed: true });
                let found = self.body.locals.get(*of).is_some() && *row > 0;
                self.rule(long && found, |_| format!("the stride `{}` is of no matrix", local.name));
            }
            ParamKind::Reduction { reduction, .. } => {
                self.rule(reduction.local == param.local, |_| {
                    format!("the reduction parameter `{}` is not its own accumulator", local.name)
                });
                self.reducible(reduction.op, param.local);
            }
        }
    }

    fn dim(&mut self, dim: &Dim) {
        let trips = &dim.trips;
        self.integer(trips.lower, "the lower bound of a dimension");
        self.integer(trips.bound, "the bound of a dimension");
        self.integer(trips.step, "the step of a dimension");
    }

    fn data_param(&mut self, index: usize, param: &Param) {
        let ParamKind::Data { var, .. } = &param.kind else { return };
        let found = match var {
            crate::DataVar::Local(l) => self.body.locals.get(*l).is_some(),
            crate::DataVar::Global(g) => self.module.globals.get(*g).is_some(),
            crate::DataVar::Member(e) => self.place(*e).is_some(),
        };
        self.rule(found, |_| format!("parameter {index} names no variable of the host function"));
    }
}

/// What the host computes before the launch, in terms of the host function.
fn launch(module: &Module, k: &Kernel, name: &str, errors: &mut Vec<VerifyError>) {
    let Some(function) = module.functions.get(k.function) else {
        return errors.push(error(name, "its host function does not exist"));
    };
    let Some(host) = &function.body else {
        return errors.push(error(name, "its host function has no body"));
    };
    let mut checker = Checker::new(module, host, format!("launch of {name}"), Stage::Function(function));
    k.dims.iter().for_each(|dim| checker.dim(dim));
    for (index, param) in k.params.iter().enumerate() {
        checker.data_param(index, param);
    }
    errors.append(&mut checker.errors);
}

fn variant(module: &Module, v: &Variant, place: String, errors: &mut Vec<VerifyError>) {
    let threads: u64 = v.block.iter().map(|n| u64::from(*n)).product();
    if !(1..=1024).contains(&threads) {
        errors.push(error(&place, format!("a block has {threads} threads")));
    }
    if v.per_thread.contains(&0) {
        errors.push(error(&place, "a thread has no iterations"));
    }
    if v.unroll == Some(0) {
        errors.push(error(&place, "loops are unrolled no times"));
    }
    if v.aggregated.is_some_and(|n| !n.is_power_of_two()) {
        errors.push(error(&place, "a table of updates has a size that is no power of two"));
    }
    for decl in &v.shared {
        let ty = v.body.locals.get(decl.local).map(|l| l.ty);
        let sized = match decl.dynamic {
            Some(_) => ty.and_then(|ty| module.types.vla_extent(ty)).is_some(),
            None => ty.is_some_and(|ty| has_size(&module.types, ty)),
        };
        if !sized {
            errors.push(error(&place, format!("shared local {} has no size", decl.local.index())));
        }
    }
}

/// Its size is known, or will be when compressed elements have become bits.
fn has_size(types: &Types, ty: Handle<Type>) -> bool {
    match types.kind(ty) {
        TypeKind::Compressed { .. } => true,
        TypeKind::Array { of, len: ArrayLen::Const(_) } => has_size(types, *of),
        _ => types.size_of(ty).is_some(),
    }
}
