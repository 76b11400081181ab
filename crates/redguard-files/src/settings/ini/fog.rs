//! FOG.INI: the density of fog by distance.

use json::{Document, Value};
use media::ini::Ini;

use super::lookup::{Text, lines};
use super::value::integer;

/// The number of entries of a fog table.
pub const FOG_ENTRIES: usize = 64;

/// The index that ends the pairs.
pub(super) const END: i32 = 63;

/// The largest number of texts that are read in a line.
const MOST_TOKENS: usize = 1 << 12;

/// A number of the file: a text between commas and line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Text.
    pub text: String,
    /// Line number, from 1.
    pub line: usize,
    /// Offset of the line.
    pub offset: u64,
}

/// Iterates over the numbers of the file. Commas and line ends separate them, and comments are ignored.
pub(super) fn tokens(ini: &Ini) -> impl Iterator<Item = Token> {
    let of_line = |line: Text<'_>| {
        let token = |text: &str| Token { text: text.to_owned(), line: line.line, offset: line.offset };
        let texts = line.text().split(',').map(str::trim).filter(|text| !text.is_empty());
        texts.take(MOST_TOKENS).map(token).collect::<Vec<_>>()
    };
    lines(ini).flat_map(of_line)
}

/// Returns the pairs of a fog table: the first index, and the density from there on. Index 63 ends them. No more pairs than a table has
/// entries are read.
#[must_use]
pub fn fog_pairs(ini: &Ini) -> Vec<(i32, i32)> {
    let mut numbers = tokens(ini).map(|token| integer(&token.text));
    let pair = || {
        let index = numbers.next().filter(|index| *index != END)?;
        Some((index, numbers.next()?))
    };
    std::iter::from_fn(pair).take(FOG_ENTRIES).collect()
}

/// Expands the pairs of a FOG.INI to a table: the density of a pair applies to all entries from its index up to the index of the
/// next pair. Densities are not interpolated, and the last entry stays 0. \[E\]
#[must_use]
pub fn fog_steps(pairs: &[(i32, i32)]) -> [i32; FOG_ENTRIES] {
    let mut table = [0; FOG_ENTRIES];
    for (number, (index, value)) in pairs.iter().enumerate() {
        let next = pairs
            .get(number.saturating_add(1))
            .map_or(FOG_ENTRIES - 1, |(next, _)| usize::try_from(*next).unwrap_or(0));
        let (Ok(first), next) = (usize::try_from(*index), next.min(FOG_ENTRIES - 1)) else { continue };
        if let Some(steps) = table.get_mut(first..next) {
            steps.fill(*value);
        }
    }
    table
}

/// Converts the pairs and the table.
pub(super) fn to_json(ini: &Ini) -> Document {
    let pairs = fog_pairs(ini);
    let table: Vec<Value> = fog_steps(&pairs).into_iter().map(Value::from).collect();
    Document::object(|out| {
        out.put("pairs", &pairs).put("table", &table);
    })
}

#[cfg(test)]
mod tests {
    use super::super::value::SYNTAX;
    use super::*;

    fn pairs(text: &str) -> Vec<(i32, i32)> {
        fog_pairs(&Ini::parse(text.as_bytes(), SYNTAX).unwrap())
    }

    #[test]
    fn commas_and_line_ends_separate_numbers() {
        assert_eq!(
            pairs("; steps\n0,0, 33,1,36,8 ; 9,9\n48,255, 63\n5,5\n"),
            [(0, 0), (33, 1), (36, 8), (48, 255)]
        );
        assert_eq!(pairs("0\n,7\n\n10 ; ten\n20,\n63"), [(0, 7), (10, 20)]);
        assert_eq!(pairs("0,0,\r\n33,1,\r\n34"), [(0, 0), (33, 1)]);
    }

    #[test]
    fn no_more_pairs_are_read_than_a_table_has_entries() {
        assert_eq!(pairs(&"1,2,".repeat(100)).len(), 64);
    }

    #[test]
    fn densities_last_to_the_next_pair_and_the_last_entry_stays_0() {
        let table = fog_steps(&[(2, 7), (4, 9)]);
        assert_eq!((&table[..6], &table[61..]), (&[0, 0, 7, 7, 9, 9][..], &[9, 9, 0][..]));
    }
}
