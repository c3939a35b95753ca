//! Random modules: they verify, and the text form keeps all of them.

mod generate;

use accl_ir::*;
use generate::Choices;
use proptest::prelude::*;

/// The module's expressions with every node and type written out, in the order of the statements.
fn dump(module: &Module) -> String {
    let mut out = String::new();
    let bodies = module.functions.iter().filter_map(|(_, f)| f.body.as_ref());
    let kernels = module.kernels.iter().flat_map(|(_, k)| {
        std::iter::once(&k.body).chain(k.variants.iter().map(|v| &v.body)).chain(k.cpu.as_ref())
    });
    for body in bodies.chain(kernels) {
        visit::for_each_stmt(&body.block, &mut |node| {
            for (e, access) in node.kind.operands() {
                out += &format!("{access:?} {}\n", tree(module, body, e));
            }
            for (l, access) in node.kind.locals() {
                let local = &body.locals[l];
                out += &format!("{access:?} {} {:?}\n", local.name, local.kind);
            }
        });
    }
    out
}

fn tree(module: &Module, body: &Body, e: Handle<Expr>) -> String {
    let expr = &body.exprs[e];
    let node = match &expr.kind {
        ExprKind::Local(l) => format!("Local {}", body.locals[*l].name),
        ExprKind::Global(g) => format!("Global {}", module.globals[*g].name),
        ExprKind::Call { function, .. } => format!("Call {}", module.functions[*function].symbol),
        other => {
            let mut other = other.clone();
            other.operands_mut(|o| *o = Handle::from_index(0));
            format!("{other:?}")
        }
    };
    let operands: Vec<String> = expr.kind.operands().into_iter().map(|o| tree(module, body, o)).collect();
    format!("({node} : {} {})", print::ty(module, expr.ty), operands.join(" "))
}

fn reread(text: &str) -> Result<Module, TestCaseError> {
    Module::from_text(text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_text_keeps_everything(list in prop::collection::vec(any::<u32>(), 0..600)) {
        let module = generate::module(&mut Choices::new(list));
        let text = module.to_text();
        let again = reread(&text)?;
        prop_assert_eq!(&again.to_text(), &text);
        prop_assert_eq!(dump(&again), dump(&module), "{}", text);
    }

    #[test]
    fn what_is_well_typed_verifies(list in prop::collection::vec(any::<u32>(), 0..600)) {
        let module = generate::module(&mut Choices::new(list));
        if let Err(errors) = verify(&module) {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            prop_assert!(false, "{}\n{}", errors.join("\n"), module);
        }
    }

    /// What is ill-typed prints with its types said, and is read back as it was.
    #[test]
    fn the_text_keeps_even_wrong_types(
        list in prop::collection::vec(any::<u32>(), 0..300),
        wrong in prop::collection::vec((any::<u32>(), any::<u32>()), 1..4),
    ) {
        let mut module = generate::module(&mut Choices::new(list));
        let types: Vec<_> = module.types.iter().filter(|(h, _)| module.types.vla_extent(*h).is_none()).map(|(h, _)| h).collect();
        for (_, f) in module.functions.iter_mut() {
            let Some(body) = &mut f.body else { continue };
            for (at, ty) in &wrong {
                let e = Handle::from_index(*at as usize % body.exprs.len().max(1));
                if body.exprs.get(e).is_some() {
                    body.exprs[e].ty = types[*ty as usize % types.len()];
                }
            }
        }
        let text = module.to_text();
        let again = reread(&text)?;
        prop_assert_eq!(&again.to_text(), &text);
        prop_assert_eq!(dump(&again), dump(&module), "{}", text);
    }
}
