//! Access control: only pages of this server, opened with the secret address.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use antiquary::{Error, Kind};
use hyper::Uri;
use hyper::header::{self, HeaderMap, HeaderName};

/// Number of random bytes of a token; enough that it cannot be guessed.
const TOKEN_BYTES: usize = 16;

/// Period in which a one-time address is valid.
const ONE_TIME_PERIOD: Duration = Duration::from_secs(120);

/// The access control of a server, with the secret token that its address contains.
#[derive(Debug)]
pub(super) struct Gate {
    token: String,
    port: u16,
    /// Suffix of the page's address: the hash of the file to show first.
    hash: String,
    one_time: Mutex<Option<OneTimeToken>>,
}

/// Replaces the token in the address that a browser is started with, which other programs can see. Valid once.
#[derive(Debug)]
struct OneTimeToken {
    text: String,
    created: Instant,
}

/// Result of checking a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Access<'a> {
    /// Allowed: the path after the token and a slash.
    Path(&'a str),
    /// Redirected to this path.
    Redirected(String),
    /// Refused, with the reason.
    Refused(&'static str),
}

impl Gate {
    /// Creates a gate for a page that shows this file first. The port is set later.
    pub(super) fn new(hash: String) -> Result<Self, Error> {
        Ok(Self { token: random_token()?, port: 0, hash, one_time: Mutex::default() })
    }

    pub(super) fn with_port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.path())
    }

    fn path(&self) -> String {
        format!("/{}/{}", self.token, self.hash)
    }

    /// An address that redirects to the page, valid once and for a short time.
    pub(super) fn one_time_address(&self) -> Result<String, Error> {
        let text = random_token()?;
        let address = format!("http://127.0.0.1:{}/{text}", self.port);
        *self.one_time.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(OneTimeToken { text, created: Instant::now() });
        Ok(address)
    }

    /// Checks a request. A page of another site may send the browser here, but cannot set the `Host` and `Origin` headers of this site.
    pub(super) fn check<'a>(&self, uri: &'a Uri, headers: &HeaderMap) -> Access<'a> {
        let own = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let is_own = |host: &str| own.iter().any(|own| own == host);
        let is_own_host = only(headers, header::HOST).is_some_and(is_own)
            && uri.authority().is_none_or(|it| is_own(it.as_str()));
        if !is_own_host {
            return Access::Refused("this server only accepts requests to its own address");
        }
        let origin = only(headers, header::ORIGIN);
        let is_own_page = origin.and_then(|origin| origin.strip_prefix("http://")).is_some_and(is_own);
        if headers.contains_key(header::ORIGIN) && !is_own_page {
            return Access::Refused("this server only accepts requests from its own page");
        }
        let path = uri.path();
        let rest = path.strip_prefix('/').unwrap_or(path);
        let (token, rest) = rest.split_once('/').map_or((rest, None), |(token, rest)| (token, Some(rest)));
        match rest {
            None if self.redeem(token) => Access::Redirected(self.path()),
            _ if !is_equal(token.as_bytes(), self.token.as_bytes()) => Access::Refused(
                "this address is not valid for this run; start `antiquary view` again and use the address that it prints",
            ),
            Some(rest) => Access::Path(rest),
            None => Access::Redirected(format!("/{token}/")),
        }
    }

    /// Whether this is the one-time token, which is invalid afterwards.
    fn redeem(&self, text: &str) -> bool {
        let mut token = self.one_time.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |token: &mut OneTimeToken| is_equal(text.as_bytes(), token.text.as_bytes());
        token.take_if(is_it).is_some_and(|token| token.created.elapsed() < ONE_TIME_PERIOD)
    }
}

/// A header that must not occur twice, because programs differ in which one they use.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Generates a token that cannot be guessed.
fn random_token() -> Result<String, Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::new(Kind::Io, format!("cannot get random numbers: {error}")))?;
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Compares in constant time, so that the time does not reveal how much is equal.
fn is_equal(given: &[u8], own: &[u8]) -> bool {
    let differs = given.iter().zip(own).fold(0, |differs, (a, b)| differs | (a ^ b));
    given.len() == own.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn gate() -> Gate {
        let hash = "#/game".to_owned();
        Gate { token: "abc123".to_owned(), port: 4000, hash, one_time: Mutex::default() }
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
    fn answers_only_its_own_address() {
        let (host, origin) = (header::HOST, header::ORIGIN);
        let uri = Uri::from_static("/abc123/api/session");
        for given in
            [vec![OWN], vec![(host.clone(), "localhost:4000"), (origin.clone(), "http://localhost:4000")]]
        {
            assert_eq!(gate().check(&uri, &headers(&given)), Access::Path("api/session"), "{given:?}");
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
            assert!(matches!(gate().check(&uri, &headers(&given)), Access::Refused(_)), "{given:?}");
        }
        let elsewhere = Uri::from_static("http://example.com/abc123/api/session");
        assert!(matches!(gate().check(&elsewhere, &headers(&[OWN])), Access::Refused(_)));
    }

    #[test]
    fn requires_the_token() {
        let check = |path: &str, expected: &Access<'_>| {
            let uri = path.parse().unwrap();
            assert_eq!(gate().check(&uri, &headers(&[OWN])), *expected, "{path}");
        };
        check("/abc123/", &Access::Path(""));
        check("/abc123", &Access::Redirected("/abc123/".to_owned()));
        for path in ["/", "/abc12/api", "/abc1234/api", "/ABC123/api", "//abc123/api"] {
            let uri: Uri = path.parse().unwrap();
            assert!(matches!(gate().check(&uri, &headers(&[OWN])), Access::Refused(_)), "{path:?}");
        }
    }

    #[test]
    fn the_one_time_address_redirects_once() {
        let gate = gate();
        let shown: Uri = gate.one_time_address().unwrap().parse().unwrap();
        assert!(!shown.to_string().contains("abc123"), "{shown}");
        let path: Uri = shown.path().parse().unwrap();
        assert_eq!(gate.check(&path, &headers(&[OWN])), Access::Redirected("/abc123/#/game".to_owned()));
        assert!(matches!(gate.check(&path, &headers(&[OWN])), Access::Refused(_)));
        assert_eq!(gate.address(), "http://127.0.0.1:4000/abc123/#/game");
    }

    #[test]
    fn two_runs_have_two_tokens() {
        let token = || Gate::new(String::new()).unwrap().token;
        assert_eq!(token().len(), 2 * TOKEN_BYTES);
        assert_ne!(token(), token());
    }
}
