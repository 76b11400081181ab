//! The server: HTTP on this computer's own address. What is asked is answered by the explorer.

use std::convert::Infallible;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use antiquary::Error;
use explorer::{Body as Content, Explorer, LINES, Request};
use futures_util::stream;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::connection;
use super::gate::{Asked, Gate};
use super::{failed, page};

/// The content of an answer of HTTP.
type Body = http_body_util::combinators::UnsyncBoxBody<Bytes, Error>;

/// An answer of HTTP.
type Response = hyper::Response<Body>;

/// No more answers are made at once: a large map takes 200 MB while it becomes a scene.
const AT_ONCE: usize = 2;

/// So many threads read files that are sent.
const SENDING: usize = 2;

/// Files are sent in pieces of this many bytes.
const PIECE: u64 = 256 << 10;

/// What the page may load: nothing from elsewhere, and no scripts or styles in its text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; \
    font-src 'self' blob:; connect-src 'self' blob:; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What every answer says.
const ALWAYS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// A server that has its address.
pub(super) struct Server {
    runtime: Runtime,
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What requests are answered with.
struct Shared {
    gate: Gate,
    explorer: Arc<Explorer>,
    /// So many answers are made at once.
    permits: Arc<Semaphore>,
    /// The threads on which answers are made. Each keeps what it once needed for a large map, so there are no more than are used at once.
    answers: Runtime,
}

impl Server {
    /// Takes a port of this computer's own address; any that is free for 0.
    pub(super) fn bind(port: u16, gate: Gate, explorer: Arc<Explorer>) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| failed(&format!("cannot listen on port {port}"), &error))?;
        let set_up = |error| failed("the server cannot be set up", &error);
        let port = listener.local_addr().map_err(set_up)?.port();
        listener.set_nonblocking(true).map_err(set_up)?;
        let at_once = std::thread::available_parallelism().map_or(AT_ONCE, usize::from).min(AT_ONCE);
        let runtime =
            Builder::new_multi_thread().worker_threads(1).max_blocking_threads(SENDING).enable_all().build();
        let runtime = runtime.map_err(set_up)?;
        let answers = Builder::new_current_thread().max_blocking_threads(at_once).build().map_err(set_up)?;
        let permits = Arc::new(Semaphore::new(at_once));
        let shared = Shared { gate: gate.with_port(port), explorer, permits, answers };
        Ok(Self { runtime, listener, shared: Arc::new(shared) })
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        self.shared.gate.address()
    }

    /// An address that redirects to the page, valid once and for a short time: other programs may see it.
    pub(super) fn one_time_address(&self) -> Result<String, Error> {
        self.shared.gate.one_time_address()
    }

    /// Answers until the program is ended.
    pub(super) fn run(self) -> Result<(), Error> {
        let Self { runtime, listener, shared } = self;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener);
            let listener = listener.map_err(|error| failed("the server stopped", &error))?;
            connection::serve(&listener, move |request| answer(Arc::clone(&shared), request)).await
        })
    }
}

/// Answers what a page asks.
async fn answer<B>(shared: Arc<Shared>, request: hyper::Request<B>) -> Result<Response, Infallible> {
    let (uri, headers) = (request.uri(), request.headers());
    let mut response = match shared.gate.ask(uri, headers) {
        Asked::Refused(why) => plain(StatusCode::FORBIDDEN, why),
        _ if *request.method() != Method::GET => {
            plain(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered")
        }
        Asked::Moved(to) => moved(&to),
        Asked::Path(path) => match path.strip_prefix("api/") {
            Some(path) => ask(&shared, path, uri.query().unwrap_or_default(), headers).await,
            None => page_file(path),
        },
    };
    for (name, value) in ALWAYS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Asks the explorer.
async fn ask(shared: &Arc<Shared>, path: &str, query: &str, headers: &HeaderMap) -> Response {
    // Who does not wait any longer leaves the queue here.
    let Ok(permit) = Arc::clone(&shared.permits).acquire_owned().await else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "the server is ending");
    };
    let (explorer, path, query) = (Arc::clone(&shared.explorer), path.to_owned(), query.to_owned());
    let waiting = Waiting::default();
    let cancelled = Arc::clone(&waiting.cancelled);
    let (part, mut parts) = mpsc::unbounded_channel();
    let work = move || {
        let request = Request { cancelled: &cancelled, ..Request::new(&path, &query) };
        let answer = explorer.answer_in_parts(&request, &|bytes| {
            // Who does not listen any longer is noticed by what is cancelled.
            let _ = part.send(bytes);
        });
        // The next may begin only when this one is done, whether somebody still waits for it or not.
        drop(permit);
        answer
    };
    let answering = shared.answers.spawn_blocking(work);
    if let Some(first) = parts.recv().await {
        return in_parts(first, parts, waiting);
    }
    let answered = answering.await;
    drop(waiting);
    match answered {
        Ok(answer) => sent(answer, headers),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "a fault of the program; please report it"),
    }
}

/// An answer whose parts are sent as they come.
fn in_parts(first: Vec<u8>, parts: UnboundedReceiver<Vec<u8>>, waiting: Waiting) -> Response {
    let parts = stream::unfold((Some(first), parts, waiting), |(first, mut parts, waiting)| async move {
        let part = match first {
            Some(first) => first,
            None => parts.recv().await?,
        };
        Some((Ok(Frame::data(part.into())), (None, parts, waiting)))
    });
    with(Response::new(StreamBody::new(parts).boxed_unsync()), header::CONTENT_TYPE, LINES)
}

/// Says that nobody waits any longer when the connection is gone: then this is dropped before there is an answer.
#[derive(Default)]
struct Waiting {
    cancelled: Arc<AtomicBool>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// An answer of the explorer as one of HTTP: whole, in part, or not at all where the page has it.
fn sent(answer: explorer::Response, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", answer.tag);
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if answer.status == 200 && text(header::IF_NONE_MATCH) == Some(&tag) {
        return with(plain(StatusCode::NOT_MODIFIED, ""), header::ETAG, &tag);
    }
    let total = answer.body.len();
    // A part is of use only to who has the rest of the same content.
    let is_same = text(header::IF_RANGE).is_none_or(|known| known == tag);
    let range = text(header::RANGE).filter(|_| answer.status == 200 && is_same);
    let (status, start, end) = match range.map(|range| part(range, total)) {
        None | Some(Part::Whole) => {
            (StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), 0, total)
        }
        Some(Part::Of(start, end)) => (StatusCode::PARTIAL_CONTENT, start, end),
        Some(Part::Beyond) => {
            let response = plain(StatusCode::RANGE_NOT_SATISFIABLE, "the file is shorter");
            return with(response, header::CONTENT_RANGE, &format!("bytes */{total}"));
        }
    };
    let mut response = Response::new(streamed(answer.body, start, end));
    *response.status_mut() = status;
    response = with(response, header::CONTENT_TYPE, answer.media_type);
    response = with(response, header::CONTENT_LENGTH, &end.saturating_sub(start).to_string());
    response = with(response, header::ETAG, &tag);
    response = with(response, header::ACCEPT_RANGES, "bytes");
    if status == StatusCode::PARTIAL_CONTENT {
        let last = end.saturating_sub(1);
        response = with(response, header::CONTENT_RANGE, &format!("bytes {start}-{last}/{total}"));
    }
    for (name, value) in answer.headers {
        if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
            response = with(response, name, &value);
        }
    }
    response
}

/// What a header `Range` asks for.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Whole,
    /// The first byte, and the one after the last.
    Of(u64, u64),
    Beyond,
}

/// Reads a header `Range` by RFC 9110. What is no single range of bytes asks for the whole.
fn part(range: &str, total: u64) -> Part {
    let Some((first, last)) = range.strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
        return Part::Whole;
    };
    let (first, last) = (first.trim(), last.trim());
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), _) if first >= total => Part::Beyond,
        (Ok(first), Ok(last)) if last < first => Part::Whole,
        (Ok(first), Ok(last)) => Part::Of(first, last.saturating_add(1).min(total)),
        (Ok(first), Err(_)) if last.is_empty() => Part::Of(first, total),
        (Err(_), Ok(count)) if first.is_empty() && (count == 0 || total == 0) => Part::Beyond,
        (Err(_), Ok(count)) if first.is_empty() => Part::Of(total.saturating_sub(count), total),
        _ => Part::Whole,
    }
}

/// Content, piece by piece.
fn streamed(content: Content, start: u64, end: u64) -> Body {
    if let Content::Bytes(bytes) = &content
        && start == 0
        && end == content.len()
    {
        return whole(Bytes::from_owner(Arc::clone(bytes)));
    }
    let pieces = stream::unfold((content, start), move |(content, at)| async move {
        if at >= end {
            return None;
        }
        let next = at.saturating_add(PIECE).min(end);
        let read = move || (content.read(at, next), content);
        match tokio::task::spawn_blocking(read).await {
            Ok((piece, content)) => Some((piece.map(|piece| Frame::data(piece.into())), (content, next))),
            Err(error) => {
                Some((Err(Error::unsupported(error.to_string())), (Content::Bytes([].into()), end)))
            }
        }
    });
    StreamBody::new(pieces).boxed_unsync()
}

/// Content that is in memory.
fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// A file of the page.
fn page_file(path: &str) -> Response {
    match page::file(path) {
        Some(file) => {
            let response = Response::new(whole(file.bytes));
            let response = with(response, header::CONTENT_TYPE, file.media_type());
            with(response, header::CONTENT_ENCODING, "gzip")
        }
        None if path.is_empty() => {
            let response = Response::new(whole(page::missing()));
            with(response, header::CONTENT_TYPE, "text/html; charset=utf-8")
        }
        None => plain(StatusCode::NOT_FOUND, "the page has no such file"),
    }
}

fn moved(to: &str) -> Response {
    with(plain(StatusCode::FOUND, ""), header::LOCATION, to)
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(whole(text));
    *response.status_mut() = status;
    with(response, header::CONTENT_TYPE, "text/plain; charset=utf-8")
}

/// The same with a header; without it where the value is none that HTTP allows.
fn with(mut response: Response, name: HeaderName, value: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_has_them() {
        for (range, expected) in [
            ("bytes=0-9", Part::Of(0, 10)),
            ("bytes=5-", Part::Of(5, 100)),
            ("bytes=-10", Part::Of(90, 100)),
            ("bytes=-1000", Part::Of(0, 100)),
            ("bytes=90-1000", Part::Of(90, 100)),
            ("bytes=100-", Part::Beyond),
            ("bytes=-0", Part::Beyond),
            ("bytes=9-5", Part::Whole),
            ("bytes=0-1,5-6", Part::Whole),
            ("lines=0-1", Part::Whole),
            ("bytes=", Part::Whole),
            ("bytes=-", Part::Whole),
        ] {
            assert_eq!(part(range, 100), expected, "{range}");
        }
        assert_eq!((part("bytes=-5", 0), part("bytes=0-", 0)), (Part::Beyond, Part::Beyond));
    }
}
