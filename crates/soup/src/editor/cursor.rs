//! Where in a line a token stands: behind which words, and as which argument of which call.

use crate::Lexicon;
use crate::lexicon::Role;
use crate::text::lex::{Lexeme, Token};

/// Words behind which a label stands.
const BEFORE_LABELS: [&str; 8] =
    ["goto", "gosub", "end", "stop_task", "pause_task", "resume_task", "start", "else"];

/// Comparisons.
const COMPARISONS: [&str; 7] = ["=", "==", "!=", "<", ">", "<=", ">="];

/// What stands before a token of a line.
#[derive(Debug, Clone, Default)]
pub(super) struct Cursor {
    /// The open calls, the innermost last: the function, if it is known, and the number of the argument.
    calls: Vec<(Option<u16>, usize)>,
    /// What the result of the call that just ended stands for.
    result: Option<Role>,
    /// What the other side of a comparison stands for.
    compared: Option<Role>,
}

impl Cursor {
    /// Goes past a token of the line.
    pub(super) fn pass(&mut self, tokens: &[Lexeme], at: usize, lexicon: &Lexicon) {
        let Some(it) = tokens.get(at) else { return };
        match &it.token {
            Token::Symbol("(") => {
                let function = at.checked_sub(1).and_then(|before| function_at(tokens, before, lexicon));
                self.calls.push((function, 0));
            }
            Token::Symbol(",") => {
                if let Some((_, argument)) = self.calls.last_mut() {
                    *argument = argument.saturating_add(1);
                }
            }
            Token::Symbol(")") => {
                let ended = self.calls.pop();
                let is_outermost = self.calls.is_empty();
                self.result = ended
                    .and_then(|(function, _)| function)
                    .filter(|_| is_outermost)
                    .and_then(|it| lexicon.result(it));
                return;
            }
            Token::Symbol(symbol) if self.calls.is_empty() && COMPARISONS.contains(symbol) => {
                self.compared = self.result.take();
            }
            Token::Word(word) if is_one_of(word, &["and", "or"]) => self.compared = None,
            _ => {}
        }
        self.result = None;
    }

    /// What a number here stands for.
    pub(super) fn role(&self, lexicon: &Lexicon) -> Option<Role> {
        match self.calls.last() {
            Some((function, argument)) => lexicon.role((*function)?, *argument),
            None => self.compared,
        }
    }

    /// The innermost open call, and the number of the argument.
    pub(super) fn call(&self) -> Option<(u16, usize)> {
        let (function, argument) = self.calls.last()?;
        Some(((*function)?, *argument))
    }
}

/// Whether a word is one of these, in any letter case.
pub(super) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// Whether a label stands behind a token.
pub(super) fn is_before_label(token: Option<&Lexeme>) -> bool {
    matches!(token, Some(Lexeme { token: Token::Word(word), .. }) if is_one_of(word, &BEFORE_LABELS))
}

/// The word at a place of the line.
pub(super) fn word_at(tokens: &[Lexeme], at: usize) -> Option<&str> {
    match &tokens.get(at)?.token {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

/// Whether a symbol stands at a place of the line.
pub(super) fn is_symbol_at(tokens: &[Lexeme], at: usize, symbol: &str) -> bool {
    matches!(tokens.get(at), Some(Lexeme { token: Token::Symbol(it), .. }) if *it == symbol)
}

/// The function that is named by the word at a place of the line.
pub(super) fn function_at(tokens: &[Lexeme], at: usize, lexicon: &Lexicon) -> Option<u16> {
    lexicon.function_number(word_at(tokens, at)?)
}
