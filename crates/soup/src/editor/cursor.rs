//! The context of a token in a line: the preceding keywords, and the argument of a call that it belongs to.

use crate::Lexicon;
use crate::lexicon::Role;
use crate::text::lex::{Lexeme, Token};

/// Keywords before a label.
const BEFORE_LABELS: [&str; 8] =
    ["goto", "gosub", "end", "stop_task", "pause_task", "resume_task", "start", "else"];

/// Comparison symbols.
const COMPARISONS: [&str; 7] = ["=", "==", "!=", "<", ">", "<=", ">="];

/// The context before a token of a line.
#[derive(Debug, Clone, Default)]
pub(super) struct Cursor {
    /// The open calls, the innermost last: the function, if known, and the argument index.
    calls: Vec<(Option<u16>, usize)>,
    /// The role of the result of the call that just ended.
    result: Option<Role>,
    /// The role of the other side of a comparison.
    compared: Option<Role>,
}

impl Cursor {
    /// Advances past a token of the line.
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

    /// Returns the role of a number at this position.
    pub(super) fn role(&self, lexicon: &Lexicon) -> Option<Role> {
        match self.calls.last() {
            Some((function, argument)) => lexicon.role((*function)?, *argument),
            None => self.compared,
        }
    }

    /// Returns the innermost open call and the argument index.
    pub(super) fn call(&self) -> Option<(u16, usize)> {
        let (function, argument) = self.calls.last()?;
        Some(((*function)?, *argument))
    }
}

/// Returns whether a word is one of these, ignoring letter case.
pub(super) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// Returns whether a label follows a token.
pub(super) fn is_before_label(token: Option<&Lexeme>) -> bool {
    matches!(token, Some(Lexeme { token: Token::Word(word), .. }) if is_one_of(word, &BEFORE_LABELS))
}

/// Returns the word at an index of the line.
pub(super) fn word_at(tokens: &[Lexeme], at: usize) -> Option<&str> {
    match &tokens.get(at)?.token {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

/// Returns whether a symbol is at an index of the line.
pub(super) fn is_symbol_at(tokens: &[Lexeme], at: usize, symbol: &str) -> bool {
    matches!(tokens.get(at), Some(Lexeme { token: Token::Symbol(it), .. }) if *it == symbol)
}

/// Returns the function named by the word at an index of the line.
pub(super) fn function_at(tokens: &[Lexeme], at: usize, lexicon: &Lexicon) -> Option<u16> {
    lexicon.function_number(word_at(tokens, at)?)
}
