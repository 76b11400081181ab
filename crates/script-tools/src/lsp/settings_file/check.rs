//! Problems of a settings file: the findings of the check of its format, and characters that the game does not have.

use antiquary::asset::Charset;
use antiquary::soup::editor::Span;
use antiquary::{CATALOG, Context, Error, Report, Session, Severity};
use gen_lsp_types::{Diagnostic, DiagnosticSeverity};

use super::line::Line;
use super::{format_of, open_alone};
use crate::lsp::document::OpenText;
use crate::lsp::position::{Encoding, Lines};
use crate::lsp::protocol::{diagnostic, too_long};

/// Maximum number of reported characters that the game does not have.
const MAX_CHARACTERS: usize = 100;

/// The problems of a settings file as diagnostics of the protocol. The session has the game in which references are looked up.
pub(crate) fn diagnostics(
    open: &OpenText,
    session: Option<&Session<'_>>,
    encoding: Encoding,
) -> Vec<Diagnostic> {
    if open.is_too_long() {
        return vec![too_long()];
    }
    let (name, text) = (open.file_name(), open.text());
    let Some(format) = format_of(&name, &text) else { return Vec::new() };
    let lines = Lines::new(&text, encoding);
    let charset = CATALOG.charset_of(format);
    let encoded = EncodedText::new(&text, charset);
    let unencodable = encoded.unencodable.iter().map(|(letter, span)| {
        let message = format!(
            "\"{letter}\" does not exist in {}, the character set of the game; open and save the file in this encoding",
            charset.name()
        );
        diagnostic(lines.range(*span), DiagnosticSeverity::Warning, "unencodable", message)
    });
    let mut out: Vec<Diagnostic> = unencodable.collect();
    let at = |offset: Option<u64>| {
        let number = offset.map_or(0, |offset| encoded.line_of(offset));
        let line = Line::new(encoded.lines.get(number).copied().unwrap_or_default());
        let (start, end) = (line.column(line.code.start), line.column(line.code.end));
        (number, lines.range(Span { line: number, start, end }))
    };
    match findings(open, &name, encoded.bytes.clone(), session) {
        Ok(report) => out.extend(report.iter().map(|it| {
            let (number, range) = at(it.offset);
            let prefix = format!("line {}: ", number.saturating_add(1));
            let message = it.message.strip_prefix(&prefix).unwrap_or(&it.message);
            diagnostic(range, severity(it.code.severity), it.code.id, message.to_owned())
        })),
        Err(error) => {
            let (_, range) = at(error.offset());
            let code = error.kind().name();
            out.push(diagnostic(range, DiagnosticSeverity::Error, code, error.message().to_owned()));
        }
    }
    out
}

/// Reads and checks a file, in the game of the session if it has one.
fn findings(
    open: &OpenText,
    name: &str,
    bytes: Vec<u8>,
    session: Option<&Session<'_>>,
) -> Result<Report, Error> {
    let opened = open_alone(name, bytes)?;
    let mut report = opened.report.clone();
    let mut context = opened.context();
    if let Some(install) = session.and_then(|session| session.install.as_deref()) {
        let location = open.path.as_deref().and_then(|path| install.location_of(path));
        context = Context { install, location, options: context.options };
    }
    opened.asset.check(&context, &mut report);
    report.locate(|visitor| opened.format.trace(&*opened.asset, &opened.source, visitor));
    Ok(report)
}

const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Note => DiagnosticSeverity::Information,
    }
}

/// A text in the character set of a game.
#[derive(Debug)]
struct EncodedText<'a> {
    bytes: Vec<u8>,
    lines: Vec<&'a str>,
    /// Offset of each line.
    starts: Vec<u64>,
    /// Characters that the character set does not have, replaced by question marks.
    unencodable: Vec<(char, Span)>,
}

impl<'a> EncodedText<'a> {
    fn new(text: &'a str, charset: Charset) -> Self {
        let mut out = Self {
            bytes: Vec::new(),
            lines: text.lines().collect(),
            starts: Vec::new(),
            unencodable: Vec::new(),
        };
        for (number, line) in text.split_inclusive('\n').enumerate() {
            out.starts.push(u64::try_from(out.bytes.len()).unwrap_or(u64::MAX));
            match charset.encode(line) {
                Some(bytes) => out.bytes.extend_from_slice(&bytes),
                None => out.add_by_character(number, line, charset),
            }
        }
        out
    }

    fn add_by_character(&mut self, line: usize, text: &str, charset: Charset) {
        let mut buffer = [0; 4];
        for (column, letter) in text.chars().enumerate() {
            if let Some(bytes) = charset.encode(letter.encode_utf8(&mut buffer)) {
                self.bytes.extend_from_slice(&bytes);
                continue;
            }
            self.bytes.push(b'?');
            if self.unencodable.len() < MAX_CHARACTERS {
                let span = Span { line, start: column, end: column.saturating_add(1) };
                self.unencodable.push((letter, span));
            }
        }
    }

    /// The line that contains a byte.
    fn line_of(&self, offset: u64) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }
}
