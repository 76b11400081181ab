//! A synthetic definition file.

use asset::{Install, Options};

use super::*;

const TEXT: &[u8] =
    b"; c\x82\r\n[functions]\r\ntask a parms 2\r\n[equates]\r\nauto\r\nattr_a\r\nendauto\r\n[flags]\r\nBOOL F 1\r\nodd\r\n";

fn file() -> DefinitionFile {
    DefinitionFile::read(&Source::from(TEXT.to_vec())).unwrap()
}

#[test]
fn keeps_and_traces_every_byte() {
    assert_eq!(file().lines.write(), TEXT);
    let mut next = 0;
    file().trace(&mut |span: Span<'_>| {
        assert_eq!(span.start, next);
        next = span.end;
        Visit::Continue
    });
    assert_eq!(next, TEXT.len() as u64);
}

#[test]
fn reports_lines_that_the_game_cannot_read() {
    let (install, options, mut report) = (Install::empty(), Options::default(), Report::new());
    let context = Context { install: &install, location: None, options: &options };
    file().check(&context, &mut report);
    let found: Vec<_> = report.iter().map(|it| (it.path.as_str(), it.message.as_str())).collect();
    assert_eq!(
        found,
        [("lines[9]", "line 10: expected \"BOOL NAME VALUE\""), ("", "section [refs] is missing or empty")]
    );
}

#[test]
fn a_game_without_the_file_uses_the_names_of_the_shipped_game() {
    let (install, options) = (Install::empty(), Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let names = GameNames::of_game(&context);
    assert!(!names.is_own);
    assert_eq!(names.names.functions.len(), 367);
}
