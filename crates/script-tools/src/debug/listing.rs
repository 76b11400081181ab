//! The text of an actor's script, and the lines of its statements.

/// The text of a script with the line of each statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// The text.
    pub text: String,
    /// Offset of each statement, in ascending order, and its one-based line.
    statements: Vec<(u32, usize)>,
}

impl Listing {
    /// Creates a listing from a text and the offset and line of each statement.
    #[must_use]
    pub fn new(text: String, mut statements: Vec<(u32, usize)>) -> Self {
        statements.sort_unstable();
        Self { text, statements }
    }

    /// The line of the statement at an offset, or of the statement that contains the offset.
    #[must_use]
    pub fn line_of(&self, at: u32) -> Option<usize> {
        let behind = self.statements.partition_point(|(known, _)| *known <= at);
        self.statements.get(behind.checked_sub(1)?).map(|(_, line)| *line)
    }

    /// The first statement on a line, or on the next line that has one: its offset and its line.
    #[must_use]
    pub fn statement_from(&self, line: usize) -> Option<(u32, usize)> {
        let from = self.statements.iter().filter(|(_, known)| *known >= line);
        from.min_by_key(|(at, known)| (*known, *at)).copied()
    }

    /// The offset of the statement after the one at an offset.
    #[must_use]
    pub fn next_after(&self, at: u32) -> Option<u32> {
        let behind = self.statements.partition_point(|(known, _)| *known <= at);
        self.statements.get(behind).map(|(at, _)| *at)
    }

    /// Whether a statement starts at an offset.
    #[must_use]
    pub fn has(&self, at: u32) -> bool {
        self.statements.binary_search_by_key(&at, |(known, _)| *known).is_ok()
    }

    /// A line of the text, by its one-based number.
    #[must_use]
    pub fn line(&self, number: usize) -> Option<&str> {
        self.text.lines().nth(number.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_between_lines_and_statements() {
        let listing = Listing::new("actor\n\na\nb c\n".to_owned(), vec![(0, 3), (4, 4), (9, 4)]);
        assert_eq!(
            (listing.line_of(0), listing.line_of(5), listing.line_of(99)),
            (Some(3), Some(4), Some(4))
        );
        assert_eq!((listing.statement_from(1), listing.statement_from(4)), (Some((0, 3)), Some((4, 4))));
        assert_eq!(listing.statement_from(5), None);
        assert_eq!((listing.next_after(0), listing.next_after(9)), (Some(4), None));
        assert_eq!((listing.line(4), listing.line(0), listing.line(9)), (Some("b c"), None, None));
        assert!(listing.has(4) && !listing.has(5));
    }
}
