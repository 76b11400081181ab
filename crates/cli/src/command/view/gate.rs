//! Who may ask: only pages of this server, by people who know its address.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use antiquary::{Error, Kind};
use hyper::Uri;
use hyper::header::{self, HeaderMap, HeaderName};

/// How many random bytes a token has, so that nobody can guess it.
const TOKEN_BYTES: usize = 16;

/// How long a one-time address is valid.
const SHOWN: Duration = Duration::from_secs(120);

/// The part of the address that nobody can guess.
#[derive(Debug)]
pub(super) struct Gate {
    token: String,
    port: u16,
    /// What stands behind the page's own address: the place of the file to show first.
    place: String,
    one_time: Mutex<Option<OneTimeToken>>,
}

/// Stands for the token in the address that a browser is started with, which other programs can see. Valid once.
#[derive(Debug)]
struct OneTimeToken {
    text: String,
    made: Instant,
}

/// What a request asks, without the token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked<'a> {
    /// Something that stands behind the token and a slash.
    Path(&'a str),
    /// Something that stands elsewhere.
    Moved(String),
    /// Nothing that may be answered, and why.
    Refused(&'static str),
}

impl Gate {
    /// A new one, for a port that is not known yet, and a page that shows this place first.
    pub(super) fn new(place: String) -> Result<Self, Error> {
        Ok(Self { token: random_token()?, port: 0, place, one_time: Mutex::default() })
    }

    pub(super) fn with_port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.path())
    }

    fn path(&self) -> String {
        format!("/{}/{}", self.token, self.place)
    }

    /// An address that redirects to the page, valid once and for a short time.
    pub(super) fn one_time_address(&self) -> Result<String, Error> {
        let text = random_token()?;
        let address = format!("http://127.0.0.1:{}/{text}", self.port);
        *self.one_time.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(OneTimeToken { text, made: Instant::now() });
        Ok(address)
    }

    /// Whether a request may be answered. A page of another site may lead the browser here, but cannot give the headers `Host` and `Origin`
    /// of this one.
    pub(super) fn ask<'a>(&self, uri: &'a Uri, headers: &HeaderMap) -> Asked<'a> {
        let own = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let is_own = |host: &str| own.iter().any(|own| own == host);
        let is_asked = only(headers, header::HOST).is_some_and(is_own)
            && uri.authority().is_none_or(|it| is_own(it.as_str()));
        if !is_asked {
            return Asked::Refused("this server answers only to its own address");
        }
        let origin = only(headers, header::ORIGIN);
        let is_own_page = origin.and_then(|origin| origin.strip_prefix("http://")).is_some_and(is_own);
        if headers.contains_key(header::ORIGIN) && !is_own_page {
            return Asked::Refused("this server answers only its own page");
        }
        let path = uri.path();
        let rest = path.strip_prefix('/').unwrap_or(path);
        let (token, rest) = rest.split_once('/').map_or((rest, None), |(token, rest)| (token, Some(rest)));
        match rest {
            None if self.redeem(token) => Asked::Moved(self.path()),
            _ if !is_equal(token.as_bytes(), self.token.as_bytes()) => Asked::Refused(
                "the address is not that of this run; start `antiquary view` again and use the address that it prints",
            ),
            Some(rest) => Asked::Path(rest),
            None => Asked::Moved(format!("/{token}/")),
        }
    }

    /// Whether this is the one-time token, which is no longer valid afterwards.
    fn redeem(&self, text: &str) -> bool {
        let mut token = self.one_time.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |token: &mut OneTimeToken| is_equal(text.as_bytes(), token.text.as_bytes());
        token.take_if(is_it).is_some_and(|token| token.made.elapsed() < SHOWN)
    }
}

/// A header that must not occur twice: programs differ in which one counts.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// A token that nobody can guess.
fn random_token() -> Result<String, Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::new(Kind::Io, format!("cannot get random numbers: {error}")))?;
    let mut text = String::new();
    for byte in bytes {
        // A string takes whatever is written.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Compares without telling by the time it takes how much is right.
fn is_equal(given: &[u8], own: &[u8]) -> bool {
    let differs = given.iter().zip(own).fold(0, |differs, (a, b)| differs | (a ^ b));
    given.len() == own.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn gate() -> Gate {
        let place = "#/game".to_owned();
        Gate { token: "abc123".to_owned(), port: 4000, place, one_time: Mutex::default() }
    }

    fn headers(given: &[(HeaderName, &str)]) -> HeaderMap {
        let own = |(name, value): &(HeaderName, &str)| (name.clone(), HeaderValue::from_str(value).unwrap());
        let mut out = HeaderMap::new();
        given.iter().map(own).for_each(|(name, value)| {
            out.append(name, value);
        });
        out
    }

    const OWN: (HeaderName, &str) = (header::HOST, "127.0.0.1:4000");

    #[test]
    fn only_the_own_address_is_answered() {
        let (host, origin) = (header::HOST, header::ORIGIN);
        let uri = Uri::from_static("/abc123/api/session");
        for given in
            [vec![OWN], vec![(host.clone(), "localhost:4000"), (origin.clone(), "http://localhost:4000")]]
        {
            assert_eq!(gate().ask(&uri, &headers(&given)), Asked::Path("api/session"), "{given:?}");
        }
        for given in [
            vec![],
            vec![(host.clone(), "127.0.0.1")],
            vec![(host.clone(), "127.0.0.1:4001")],
            vec![(host.clone(), "example.com:4000")],
            vec![OWN, (host, "example.com:4000")],
            vec![OWN, OWN],
            vec![OWN, (origin.clone(), "http://example.com")],
            vec![OWN, (origin.clone(), "https://127.0.0.1:4000")],
            vec![OWN, (origin.clone(), "null")],
            vec![OWN, (origin.clone(), "http://127.0.0.1:4000"), (origin, "http://example.com")],
        ] {
            assert!(matches!(gate().ask(&uri, &headers(&given)), Asked::Refused(_)), "{given:?}");
        }
        let elsewhere = Uri::from_static("http://example.com/abc123/api/session");
        assert!(matches!(gate().ask(&elsewhere, &headers(&[OWN])), Asked::Refused(_)));
    }

    #[test]
    fn the_token_is_asked_for() {
        let asks = |path: &str, expected: &Asked<'_>| {
            let uri = path.parse().unwrap();
            assert_eq!(gate().ask(&uri, &headers(&[OWN])), *expected, "{path}");
        };
        asks("/abc123/", &Asked::Path(""));
        asks("/abc123", &Asked::Moved("/abc123/".to_owned()));
        for path in ["/", "/abc12/api", "/abc1234/api", "/ABC123/api", "//abc123/api"] {
            let uri: Uri = path.parse().unwrap();
            assert!(matches!(gate().ask(&uri, &headers(&[OWN])), Asked::Refused(_)), "{path:?}");
        }
    }

    #[test]
    fn what_other_programs_see_leads_to_the_page_once() {
        let gate = gate();
        let shown: Uri = gate.one_time_address().unwrap().parse().unwrap();
        assert!(!shown.to_string().contains("abc123"), "{shown}");
        let path: Uri = shown.path().parse().unwrap();
        assert_eq!(gate.ask(&path, &headers(&[OWN])), Asked::Moved("/abc123/#/game".to_owned()));
        assert!(matches!(gate.ask(&path, &headers(&[OWN])), Asked::Refused(_)));
        assert_eq!(gate.address(), "http://127.0.0.1:4000/abc123/#/game");
    }

    #[test]
    fn two_runs_have_two_tokens() {
        let token = || Gate::new(String::new()).unwrap().token;
        assert_eq!(token().len(), 2 * TOKEN_BYTES);
        assert_ne!(token(), token());
    }
}
