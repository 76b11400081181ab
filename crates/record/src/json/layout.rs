//! Where lines break.

/// As wide as a line may be.
const WIDTH: usize = 140;

/// Sets JSON in lines: a list or object that fits into what is left of its line stays on it, others have one item a line.
/// The JSON must be sound.
#[must_use]
pub fn pretty(json: &[u8]) -> Vec<u8> {
    let tokens = Tokens { json, at: 0 };
    let mut out = Vec::with_capacity(json.len().saturating_mul(2));
    // For each list or object that is open: whether it is set in lines.
    let mut open: Vec<bool> = Vec::new();
    let mut line = 0;
    for (at, token) in tokens {
        match token {
            b"[" | b"{" => {
                let in_line = one_line(
                    json.get(at..).unwrap_or_default(),
                    WIDTH.saturating_sub(out.len().saturating_sub(line)),
                );
                out.extend_from_slice(token);
                open.push(!in_line);
                if !in_line {
                    line = break_line(&mut out, open.len());
                }
            }
            b"]" | b"}" => {
                if open.pop() == Some(true) {
                    line = break_line(&mut out, open.len());
                }
                out.extend_from_slice(token);
            }
            b"," => {
                out.push(b',');
                if open.last() == Some(&true) {
                    line = break_line(&mut out, open.len());
                } else {
                    out.push(b' ');
                }
            }
            b":" => out.extend_from_slice(b": "),
            _ => out.extend_from_slice(token),
        }
    }
    out.push(b'\n');
    out
}

fn break_line(out: &mut Vec<u8>, depth: usize) -> usize {
    out.push(b'\n');
    let line = out.len();
    out.resize(line.saturating_add(depth), b' ');
    line
}

/// Whether the list or object at the start of `json` fits into `room` columns. Looks no further than that.
fn one_line(json: &[u8], room: usize) -> bool {
    let (mut depth, mut width) = (0_usize, 0_usize);
    for (_, token) in (Tokens { json, at: 0 }) {
        width = width.saturating_add(token.len());
        match token {
            b"[" | b"{" => depth = depth.saturating_add(1),
            b"]" | b"}" => depth = depth.saturating_sub(1),
            b"," | b":" => width = width.saturating_add(1),
            _ => {}
        }
        if width > room {
            return false;
        }
        if depth == 0 {
            return true;
        }
    }
    true
}

/// Brackets, commas, colons, strings and words, with the place where each starts.
struct Tokens<'a> {
    json: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let white = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        let skipped = self.json.get(self.at..)?.iter().take_while(|byte| white(byte)).count();
        let start = self.at.checked_add(skipped)?;
        let rest = self.json.get(start..)?;
        let length = match rest.first()? {
            b'[' | b']' | b'{' | b'}' | b',' | b':' => 1,
            b'"' => string_length(rest),
            _ => rest.iter().take_while(|byte| !white(byte) && !b"[]{},:\"".contains(byte)).count().max(1),
        };
        self.at = start.checked_add(length)?;
        Some((start, rest.get(..length)?))
    }
}

/// The length of the string at the start, with its quotes.
fn string_length(json: &[u8]) -> usize {
    let mut escaped = false;
    for (index, byte) in json.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index.saturating_add(1),
            _ => {}
        }
    }
    json.len()
}
