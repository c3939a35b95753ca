//! Variables of one unit that kernels of another use: the unit tells their addresses in constants, and the other one's text
//! goes through these. So neither needs a declaration in the other's file, and a static variable can be reached.

use crate::unit::HostSource;
use std::collections::BTreeSet;

/// Definitions of the constants, for the end of the text.
pub fn addresses(unit: &HostSource) -> String {
    let mut text = String::new();
    let language = unit.extern_c_of_object();
    for (at, address) in unit.options.addresses.iter().enumerate() {
        if text.is_empty() {
            text.push_str("\n# 1 \"accl_abi.h\" 3\n");
        }
        let symbol = &address.symbol;
        let of = match address.linked {
            true => {
                let of = format!("accl_addressed_{at}");
                text.push_str(&format!("extern {language}char {of} __asm__(\"{}\");\n", address.of));
                of
            }
            false => address.of.clone(),
        };
        text.push_str(&format!(
            "extern {language}void *const {symbol};\n\
             __attribute__((visibility(\"hidden\"))) void *const {symbol} = (void *)&{of};\n"
        ));
    }
    text
}

/// Declarations for the variables of other units.
pub fn declarations(unit: &HostSource) -> String {
    let mut text = String::new();
    let mut sizes = BTreeSet::new();
    for (_, global) in unit.module.globals.iter() {
        let Some(foreign) = &global.foreign else { continue };
        let language = unit.extern_c_of_object();
        text.push_str(&format!("extern {language}void *const {};\n", foreign.address));
        sizes.extend(accl_ir::link::bytes_in(&foreign.text));
    }
    let bytes =
        sizes.iter().map(|size| format!("{} {{ char bytes[{size}]; }};\n", accl_ir::link::bytes_type(*size)));
    bytes.collect::<String>() + &text
}
