//! `host_data`: in its body the named variables are device addresses (OpenACC 3.3 §2.8).
//!
//! A pointer of its name shadows a variable. A member cannot be shadowed, so it is set, and set back afterwards.

use crate::Result;
use crate::data::{self, parenthesised};
use crate::region::around;
use crate::unit::HostSource;
use accl_ir::{DataItem, DataVar, Function, Region, TypeKind};

pub fn rewrite(unit: &mut HostSource, function: &Function, region: &Region, site: usize) -> Result<()> {
    let clauses = &region.clauses;
    let site = unit.site_address(site);
    let if_present = if clauses.if_present { accl_abi::data_flags::IF_PRESENT } else { 0 };
    let flags = if_present | data::language(clauses.if_.as_ref());
    let vars = data::declare(unit, &clauses.data, flags);
    let mut before = vec!["{".to_owned()];
    before.extend(vars.lines);
    if let Some(condition) = &clauses.if_ {
        before.push(format!("int accl_if = ({}) != 0;", condition.text));
    }
    let (mut shadows, mut after) = (vec!["{".to_owned()], Vec::new());
    for (at, item) in clauses.data.iter().enumerate() {
        let ty = pointer_type(unit, item);
        let call = format!("({ty})accl_use_device({site}, &accl_vars[{at}])");
        let address = match &clauses.if_ {
            Some(_) => format!("accl_if ? {call} : ({ty}){}", parenthesised(&item.base)),
            None => call,
        };
        before.push(format!("{ty} accl_device_{at} = {address};"));
        match &item.var {
            DataVar::Local(_) | DataVar::Global(_) => {
                shadows.push(format!("__typeof__(accl_device_{at}) {} = accl_device_{at};", item.base));
                shadows.push(format!("(void){};", item.base));
            }
            DataVar::Member(_) => {
                before.push(format!("{ty} accl_host_{at} = {};", item.base));
                shadows.push(format!("{} = accl_device_{at};", item.base));
                after.push(format!("{} = accl_host_{at};", item.base));
            }
        }
    }
    before.extend(shadows);
    after.push("} }".into());
    around(unit, region, &before, &mut |unit| unit.block(function, &region.body), &after)
}

/// The type of the variable as a pointer.
fn pointer_type(unit: &HostSource, item: &DataItem) -> String {
    let base = parenthesised(&item.base);
    match unit.module.types.kind(item.ty) {
        TypeKind::Pointer { .. } => format!("__typeof__({base} + 0)").replace("+ 0)", "+ 0)"),
        TypeKind::Array { .. } => format!("__typeof__(&{base}[0])"),
        _ => format!("__typeof__(&{base})"),
    }
}
