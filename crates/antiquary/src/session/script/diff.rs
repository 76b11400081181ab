//! Line-by-line comparison of the scripts of two files.

use std::sync::Arc;

use asset::{Asset, Context, Error, Install, Options, Report};
use soup::text::without_labels;

use crate::diff::{Differences, compare_lines};
use crate::script::{Map, ScriptContext, ScriptTextOptions, disassemble, map_of};
use crate::session::installs::Installs;
use crate::session::{Input, Session};

impl Session<'_> {
    /// Compares the scripts of two files, which are matched by name, line by line. Returns the path suffixes of the fields
    /// that contain scripts that differ.
    pub(in crate::session) fn compare_scripts<'a>(
        &self,
        inputs: impl Iterator<Item = &'a Input>,
        (first, second): ((&str, &dyn Asset), (&str, &dyn Asset)),
        differences: &mut Differences,
    ) -> Result<Vec<String>, Error> {
        let (Ok(first_map), Ok(second_map)) = (map_of(first.1), map_of(second.1)) else {
            return Ok(Vec::new());
        };
        let install = self.install_of_any(inputs)?;
        let texts = |file_name: &str, map: &Map| {
            let options = Options::defaults(ScriptTextOptions::DECLARED);
            let context = Context { install: &install, location: None, options: &options };
            let context = ScriptContext { context, file_name, definitions: None };
            disassemble(map, &context, &mut Report::new())
        };
        let (Ok(first), Ok(second)) = (texts(first.0, first_map), texts(second.0, second_map)) else {
            return Ok(Vec::new());
        };
        let mut out = Vec::new();
        for (number, script) in first.iter().enumerate() {
            let other = second.get(number).filter(|other| other.name == script.name);
            let other = other.or_else(|| second.iter().find(|other| other.name == script.name));
            if let Some(other) = other.filter(|other| other.text != script.text) {
                let path = format!("scripts.{}", script.name);
                compare_lines(&path, (&script.text, &other.text), without_labels, differences);
                out.push(format!("records[{number}].script"));
            }
        }
        Ok(out)
    }

    /// Returns the game around one of the files, which contains the names for all of them.
    fn install_of_any<'a>(&self, inputs: impl Iterator<Item = &'a Input>) -> Result<Arc<Install>, Error> {
        let installs = Installs::new(self, &self.opened())?;
        for input in inputs {
            let install = installs.of(input)?;
            if install.game().is_some() {
                return Ok(install);
            }
        }
        Ok(Arc::new(Install::empty()))
    }
}
