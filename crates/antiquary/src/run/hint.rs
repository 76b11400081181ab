//! Advice on what to do next when a run met a common problem.

use std::fmt;

use serde::{Serialize, Serializer};

/// Advice on what to do next; serialized as its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// References of an input were not found, and there is no game around it.
    NoGameAround {
        /// The input.
        input: String,
    },
    /// A file built from an input has warnings that the input does not have, because its folder lacks the files that both
    /// refer to.
    LeftBehind {
        /// The input.
        input: String,
        /// The file built from it, in another folder.
        output: String,
        /// First warning about the output that the input does not have.
        warning: String,
        /// Number of such warnings.
        count: u64,
    },
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGameAround { input } => write!(
                f,
                "no game was found around {input}, so only files near it were searched; specify the folder of the game with --game"
            ),
            Self::LeftBehind { input, output, warning, count } => {
                write!(f, "{output} is not next to the files that {input} uses: {warning}")?;
                if *count > 1 {
                    write!(f, " (and {} more)", count - 1)?;
                }
                write!(f, "; copy these files there, or move both into the game")
            }
        }
    }
}

impl Serialize for Hint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
