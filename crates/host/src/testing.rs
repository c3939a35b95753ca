//! For tests: binds a module in text form, which has no spans, to a program's text by its pragmas.

use crate::lexer;
use accl_ir::{Block, Module, Stmt};
use accl_source::{FileId, Span};

/// The module, with the spans of its regions and directives, taken in order from the lines of `buffer` that
/// hold `#pragma acc` and no loop directive.
pub fn bound_module(ir: &str, buffer: &str) -> Module {
    let mut module = Module::from_text(ir).unwrap_or_else(|e| panic!("{e}"));
    let mut pragmas = pragmas(buffer).into_iter();
    let mut next = || pragmas.next().expect("a pragma for each region");
    let handles: Vec<_> = module.functions.handles().collect();
    let mut sites = Vec::new();
    for f in handles {
        if let Some(body) = module.functions[f].body.as_mut() {
            module.functions[f].has_regions |= bind(&mut body.block, buffer, &mut next, &mut sites);
        }
    }
    for (kernel, directive, body) in sites {
        module.kernels[kernel].site.directive_span = directive;
        module.kernels[kernel].site.body_span = body;
    }
    for declare in &mut module.declares {
        declare.directive_span = next();
    }
    module
}

fn pragmas(buffer: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in buffer.split_inclusive('\n') {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.starts_with(&["#pragma", "acc"]) && !["loop", "routine", "atomic"].contains(&words[2]) {
            let start = at + line.find('#').unwrap_or(0);
            found.push(Span::new(FileId(0), start as u32, (at + line.trim_end().len()) as u32));
        }
        at += line.len();
    }
    found
}

type Sites = Vec<(accl_ir::Handle<accl_ir::Kernel>, Span, Span)>;

fn bind(block: &mut Block, buffer: &str, next: &mut impl FnMut() -> Span, sites: &mut Sites) -> bool {
    let mut any = false;
    for node in block {
        match &mut node.kind {
            Stmt::Region(region) => {
                region.directive_span = next();
                let start = lexer::skip_blank(buffer, region.directive_span.end as usize);
                let end = lexer::statement_end(buffer, start).expect("a statement behind the pragma");
                region.body_span = Span::new(FileId(0), start as u32, end as u32);
                for kernel in &region.kernels {
                    sites.push((*kernel, region.directive_span, region.body_span));
                }
                any = true;
            }
            Stmt::Directive(directive) => {
                directive.directive_span = next();
                any = true;
            }
            _ => {}
        }
        for inner in node.kind.blocks_mut() {
            any |= bind(inner, buffer, next, sites);
        }
    }
    any
}
