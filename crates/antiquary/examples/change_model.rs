//! Moves the first mesh of a Ragnarok Online model and writes the model. Everything that was not changed stays
//! byte-identical.
//!
//! ```console
//! $ cargo run --example change_model -- tree.rsm tree2.rsm
//! ```
#![allow(unreachable_pub, reason = "tests call it")]

use std::path::Path;

use antiquary::Error;
use antiquary::ragnarok::rsm::Rsm;

/// Returns the bytes of the model with its first mesh moved up.
pub fn raise(model: &Path, by: f32) -> Result<Vec<u8>, Error> {
    let mut model = antiquary::open(model)?.into_typed::<Rsm>()?;
    let mesh = model.meshes.first_mut().ok_or_else(|| Error::usage("the model has no meshes"))?;
    mesh.position[1] -= by; // Y points down.
    model.write()
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("expected two arguments: a model and an output file"));
    };
    std::fs::write(to, raise(from.as_ref(), 1.0)?)?;
    Ok(())
}
