//! With `-gpu=autodata` programs take and free memory, and hand it to the system, through wrappers (`accl_abi::host_memory`), so that
//! the runtime knows their objects. The linker substitutes them (`--wrap`) as it does the clocks'.

use super::Session;
use super::clocks::has_static_libraries;
use accl_abi::host_memory;

/// The arguments for a link that ends with the runtime's archive.
pub fn words(session: &Session) -> Option<String> {
    if !session.invocation.acc.auto_data {
        return None;
    }
    let fixed = has_static_libraries(session);
    let mut words: Vec<String> = host_memory::of_c().map(|name| format!("--wrap={name}")).collect();
    // In a static link the C library itself comes after the runtime's archive, and asks for wrappers that nothing else may have
    // asked for; gold needs them for shared libraries. The operators of C++ take their memory from there.
    if fixed || session.invocation.has_option(|o| o == "-fuse-ld=gold") {
        words.extend(host_memory::of_c().map(|name| format!("--undefined=__wrap_{name}")));
    }
    if !fixed {
        words.extend(host_memory::CXX.iter().map(|name| format!("--wrap={name}")));
    }
    Some(format!("-Wl,{}", words.join(",")))
}
