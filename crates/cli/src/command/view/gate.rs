//! Who may ask: only pages of this server, by people who know its address.

use std::fmt::Write;

use antiquary::{Error, Kind};

/// So many bytes of chance make an address that nobody can guess.
const CHANCE: usize = 16;

/// The part of the address that nobody can guess.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    token: String,
    port: u16,
}

/// What a request asks, without the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked<'a> {
    /// Something that stands behind the token and a slash.
    Path(&'a str),
    /// The token without a slash behind it.
    Bare,
    /// Nothing that may be answered, and why.
    Refused(&'static str),
}

impl Gate {
    /// A new one, for a port that is not known yet.
    pub(super) fn new() -> Result<Self, Error> {
        let mut chance = [0; CHANCE];
        getrandom::fill(&mut chance)
            .map_err(|error| Error::new(Kind::Io, format!("cannot get random numbers: {error}")))?;
        let mut token = String::new();
        for byte in chance {
            // A string takes whatever is written.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self { token, port: 0 })
    }

    pub(super) fn with_port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Whether a request may be answered. `host` and `origin` are its headers: a page of another site may lead the browser here, but
    /// cannot give these.
    pub(super) fn ask<'a>(&self, path: &'a str, host: Option<&str>, origin: Option<&str>) -> Asked<'a> {
        let own = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if !host.is_some_and(|host| own.iter().any(|own| own == host)) {
            return Asked::Refused("this server answers only to its own address");
        }
        if let Some(origin) = origin
            && !own.iter().any(|own| origin.strip_prefix("http://") == Some(own))
        {
            return Asked::Refused("this server answers only its own page");
        }
        let rest = path.strip_prefix('/').unwrap_or(path);
        let (token, rest) = rest.split_once('/').map_or((rest, None), |(token, rest)| (token, Some(rest)));
        match rest {
            _ if !is_equal(token.as_bytes(), self.token.as_bytes()) => Asked::Refused(
                "the address is not that of this run; start `antiquary view` again and use the address that it prints",
            ),
            Some(rest) => Asked::Path(rest),
            None => Asked::Bare,
        }
    }
}

/// Compares without telling by the time it takes how much is right.
fn is_equal(given: &[u8], own: &[u8]) -> bool {
    let differs = given.iter().zip(own).fold(0, |differs, (a, b)| differs | (a ^ b));
    given.len() == own.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate() -> Gate {
        Gate { token: "abc123".to_owned(), port: 4000 }
    }

    #[test]
    fn only_the_own_address_is_answered() {
        let path = "/abc123/api/session";
        let asked = |host, origin| gate().ask(path, host, origin);
        assert_eq!(asked(Some("127.0.0.1:4000"), None), Asked::Path("api/session"));
        assert_eq!(asked(Some("localhost:4000"), Some("http://localhost:4000")), Asked::Path("api/session"));
        for (host, origin) in [
            (None, None),
            (Some("127.0.0.1"), None),
            (Some("127.0.0.1:4001"), None),
            (Some("example.com:4000"), None),
            (Some("127.0.0.1:4000"), Some("http://example.com")),
            (Some("127.0.0.1:4000"), Some("https://127.0.0.1:4000")),
            (Some("127.0.0.1:4000"), Some("null")),
        ] {
            assert!(matches!(asked(host, origin), Asked::Refused(_)), "{host:?} {origin:?}");
        }
    }

    #[test]
    fn the_token_is_asked_for() {
        let asked = |path| gate().ask(path, Some("127.0.0.1:4000"), None);
        assert_eq!(asked("/abc123/"), Asked::Path(""));
        assert_eq!(asked("/abc123"), Asked::Bare);
        for path in ["/", "", "/abc12/api", "/abc1234/api", "/ABC123/api", "//abc123/api"] {
            assert!(matches!(asked(path), Asked::Refused(_)), "{path:?}");
        }
    }

    #[test]
    fn two_runs_have_two_tokens() {
        let token = || Gate::new().unwrap().token;
        assert_eq!(token().len(), 2 * CHANCE);
        assert_ne!(token(), token());
    }
}
