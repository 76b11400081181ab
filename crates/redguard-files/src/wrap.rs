//! Line breaks in texts.

/// The maximum number of characters in a line of movie text.
pub const MOVIE_CHARACTERS: usize = 35;

/// Wraps a text at its spaces so that each line is narrower than the limit; a word that is too wide gets a separate line.
#[must_use]
pub fn wrapped(text: &str, limit: i32, measure: impl Fn(&str) -> i32) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0_usize;
    let mut end = None;
    for (word, word_end) in words(text) {
        let Some(last) = end else {
            (start, end) = (word, Some(word_end));
            continue;
        };
        let fits = text.get(start..word_end).is_some_and(|line| measure(line) < limit);
        if !fits {
            lines.extend(text.get(start..last));
            start = word;
        }
        end = Some(word_end);
    }
    lines.extend(end.and_then(|end| text.get(start..end)));
    lines
}

/// Returns the start and end offset of each word of a text.
fn words(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0_usize;
    text.split(' ').filter_map(move |word| {
        let start = at;
        let end = start.saturating_add(word.len());
        at = end.saturating_add(1);
        (!word.is_empty()).then_some((start, end))
    })
}
