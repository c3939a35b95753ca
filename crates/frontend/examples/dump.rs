//! Prints the IR of a file, and its diagnostics: `cargo run -p accl-frontend --example dump file.c -I dir`.

use accl_frontend::{Options, parse};
use accl_source::{Files, render};

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(file) = args.next() else { return eprintln!("usage: dump FILE [clang options]") };
    let options = Options { args: args.collect(), ..Options::default() };
    let start = std::time::Instant::now();
    match parse(file.as_ref(), &options) {
        Ok(unit) => {
            let elapsed = start.elapsed();
            let mut files = Files::new();
            files.add_preprocessed(file, unit.buffer.as_str());
            println!("{}", unit.module.to_text());
            if let Err(errors) = accl_ir::verify(&unit.module) {
                errors.iter().for_each(|e| println!("VERIFIER: {e}"));
            }
            print!("{}", render::text::render(&files, &unit.diagnostics, &render::Options::default()));
            eprintln!("{} diagnostics, {:.3} s", unit.diagnostics.len(), elapsed.as_secs_f64());
        }
        Err(error) => {
            eprint!("{error}");
            std::process::exit(1);
        }
    }
}
