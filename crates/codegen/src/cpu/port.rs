//! Kernels of a port: functions with ordinary parameters.
//!
//! A kernel keeps the loops it was outlined with; OpenMP shares the iterations of the outermost parallel one. Where
//! the user says how many gangs run the construct, the gangs are a loop of their own.

use crate::Result;
use crate::c_family::body::BodyWriter;
use crate::c_family::decl::PointerStyle;
use crate::c_family::kernel::{Interface, KernelText, Version, data_style, reduction_scalar};
use crate::c_family::unit::DeviceSource;
use crate::c_family::writer::wrapped_list;
use accl_ir::{Body, Kernel, LoopLevels, ParamKind, Stmt, StmtNode};

/// The parameter with the number of gangs.
pub const NUM_GANGS: &str = "num_gangs";

pub fn kernel(unit: &DeviceSource, kernel: &Kernel) -> Result<String> {
    let gangs = kernel.cpu.as_ref().filter(|_| counts_gangs(kernel));
    let body = gangs.map_or_else(|| with_loops(kernel), of_gangs);
    let counted = gangs.is_some();
    let version = Version { kernel, variant: None, body: &body, restrict: false, suffix: "" };
    version.write(unit, &[NUM_GANGS], &|writer, text, symbol| interface(writer, text, symbol, counted))
}

/// Each gang runs the body, and the user gives the number of gangs.
fn counts_gangs(kernel: &Kernel) -> bool {
    kernel.gangs && kernel.num_gangs.as_ref().is_some_and(|count| count.value != Some(1))
}

/// The body as outlined, and what ends its reductions.
fn with_loops(kernel: &Kernel) -> Body {
    let mut body = kernel.body.clone();
    for (param, p) in kernel.params.iter().enumerate() {
        if let ParamKind::Reduction { reduction, .. } = &p.kind {
            body.block.push(StmtNode::from(Stmt::ReduceGrid { op: reduction.op, local: p.local, param }));
        }
    }
    body
}

/// Threads share the iterations of the loop over the gangs.
fn of_gangs(body: &Body) -> Body {
    let mut body = body.clone();
    for node in &mut body.block {
        if let Stmt::For(l) = &mut node.kind {
            l.levels = Some(LoopLevels { gang: true, ..LoopLevels::default() });
        }
    }
    body
}

fn interface(writer: &BodyWriter, text: &KernelText, symbol: &str, gangs: bool) -> Result<Interface> {
    let mut params = Vec::new();
    for (param, stem) in text.kernel.params.iter().zip(&text.stems) {
        let local = &writer.body.locals[param.local];
        let declarator = writer.declarator(local.span);
        let name = writer.names.local(param.local);
        params.push(match &param.kind {
            ParamKind::Data { .. } => {
                let restrict = text.kernel.variants.last().is_some_and(|v| v.restrict);
                let style = PointerStyle { restrict, ..data_style(writer, text, param) };
                declarator.pointer(local.ty, name, style)?
            }
            ParamKind::Value { .. }
            | ParamKind::Codec { .. }
            | ParamKind::Extent { .. }
            | ParamKind::Stride { .. } => declarator.declare(local.ty, name)?,
            ParamKind::Reduction { .. } => {
                let ty = writer.unit.scalar(reduction_scalar(writer, param)?);
                format!("{ty} *{stem}_result")
            }
        });
    }
    if gangs {
        params.push(format!("int64_t {NUM_GANGS}"));
    }
    let head = wrapped_list(&format!("void {symbol}"), &params, "");
    Ok(Interface { head, prologue: Vec::new(), after: String::new() })
}
