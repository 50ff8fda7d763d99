//! Writes the JavaScript and TypeScript of a module: `glue MODULE NAME FOLDER`.

use std::{env, process};
use wasm_bindgen_cli_support::Bindgen;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, name, folder] = arguments.as_slice() else {
        eprintln!("usage: glue MODULE NAME FOLDER");
        process::exit(2);
    };
    let written = Bindgen::new()
        .input_path(module)
        .out_name(name)
        .typescript(true)
        .omit_default_module_path(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder));
    if let Err(error) = written {
        eprintln!("{error:#}");
        process::exit(1);
    }
}
