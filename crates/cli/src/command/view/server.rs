//! The HTTP server on the loopback address. Requests are result by the explorer.

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
use super::gate::{Access, Gate};
use super::{failed, page};

/// The body of an HTTP response.
type Body = http_body_util::combinators::UnsyncBoxBody<Bytes, Error>;

/// An HTTP response.
type Response = hyper::Response<Body>;

/// Maximum number of requests processed at once: a large map takes 200 MB while it is converted to a scene.
const MAX_CONCURRENT: usize = 2;

/// Number of threads that read files to be http_response.
const SENDER_THREADS: usize = 2;

/// Size of the chunks in which files are http_response, in bytes.
const CHUNK: u64 = 256 << 10;

/// Content security policy of the page: nothing from other servers, and no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; \
    font-src 'self' blob:; connect-src 'self' blob:; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every response.
const COMMON_HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// A server that is bound to its address.
pub(super) struct Server {
    runtime: Runtime,
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// State shared by all requests.
struct Shared {
    gate: Gate,
    explorer: Arc<Explorer>,
    /// Limits the number of requests processed at once.
    permits: Arc<Semaphore>,
    /// Threads that process requests. Each keeps the memory it once needed for a large map, so there are no more than are used at once.
    answers: Runtime,
}

impl Server {
    /// Binds to a port of the loopback address; 0 for any free port.
    pub(super) fn bind(port: u16, gate: Gate, explorer: Arc<Explorer>) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| failed(&format!("cannot listen on port {port}"), &error))?;
        let set_up = |error| failed("the server cannot be set up", &error);
        let port = listener.local_addr().map_err(set_up)?.port();
        listener.set_nonblocking(true).map_err(set_up)?;
        let at_once =
            std::thread::available_parallelism().map_or(MAX_CONCURRENT, usize::from).min(MAX_CONCURRENT);
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(SENDER_THREADS)
            .enable_all()
            .build();
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

    /// An address that redirects to the page, valid once and for a short time, because other programs may see it.
    pub(super) fn one_time_address(&self) -> Result<String, Error> {
        self.shared.gate.one_time_address()
    }

    /// Answers requests until the program ends.
    pub(super) fn run(self) -> Result<(), Error> {
        let Self { runtime, listener, shared } = self;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener);
            let listener = listener.map_err(|error| failed("the server stopped", &error))?;
            connection::serve(&listener, move |request| answer(Arc::clone(&shared), request)).await
        })
    }
}

/// Answers a request.
async fn answer<B>(shared: Arc<Shared>, request: hyper::Request<B>) -> Result<Response, Infallible> {
    let (uri, headers) = (request.uri(), request.headers());
    let mut response = match shared.gate.check(uri, headers) {
        Access::Refused(why) => plain(StatusCode::FORBIDDEN, why),
        _ if *request.method() != Method::GET => {
            plain(StatusCode::METHOD_NOT_ALLOWED, "only GET requests are supported")
        }
        Access::Redirected(to) => redirect(&to),
        Access::Path(path) => match path.strip_prefix("api/") {
            Some(path) => query_explorer(&shared, path, uri.query().unwrap_or_default(), headers).await,
            None => page_file(path),
        },
    };
    for (name, value) in COMMON_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Answers a request with the explorer.
async fn query_explorer(shared: &Arc<Shared>, path: &str, query: &str, headers: &HeaderMap) -> Response {
    // If the connection is closed, this future is dropped here, which leaves the queue.
    let Ok(permit) = Arc::clone(&shared.permits).acquire_owned().await else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down");
    };
    let (explorer, path, query) = (Arc::clone(&shared.explorer), path.to_owned(), query.to_owned());
    let cancellation = CancelOnDrop::default();
    let cancelled = Arc::clone(&cancellation.cancelled);
    let (part, mut parts) = mpsc::unbounded_channel();
    let work = move || {
        let request = Request { cancelled: &cancelled, ..Request::new(&path, &query) };
        let answer = explorer.answer_in_parts(&request, &|bytes| {
            // A closed connection sets the cancelled flag, so errors can be ignored.
            let _ = part.send(bytes);
        });
        // Release the permit only now: the next request may start only when this one is finished, even if its connection is closed.
        drop(permit);
        answer
    };
    let task = shared.answers.spawn_blocking(work);
    if let Some(first) = parts.recv().await {
        return streamed_parts(first, parts, cancellation);
    }
    let result = task.await;
    drop(cancellation);
    match result {
        Ok(answer) => http_response(answer, headers),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "internal error: this is a bug; please report it"),
    }
}

/// A response whose parts are http_response as they become available.
fn streamed_parts(first: Vec<u8>, parts: UnboundedReceiver<Vec<u8>>, cancellation: CancelOnDrop) -> Response {
    let parts =
        stream::unfold((Some(first), parts, cancellation), |(first, mut parts, cancellation)| async move {
            let part = match first {
                Some(first) => first,
                None => parts.recv().await?,
            };
            Some((Ok(Frame::data(part.into())), (None, parts, cancellation)))
        });
    with(Response::new(StreamBody::new(parts).boxed_unsync()), header::CONTENT_TYPE, LINES)
}

/// Sets the cancelled flag when the connection is closed: then this is dropped before the response is complete.
#[derive(Default)]
struct CancelOnDrop {
    cancelled: Arc<AtomicBool>,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Converts a response of the explorer to an HTTP response: complete, a range, or "not modified" if the page already has it.
fn http_response(answer: explorer::Response, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", answer.tag);
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if answer.status == 200 && text(header::IF_NONE_MATCH) == Some(&tag) {
        return with(plain(StatusCode::NOT_MODIFIED, ""), header::ETAG, &tag);
    }
    let total = answer.body.len();
    // A range is only useful if the page has the rest of the same content.
    let is_same = text(header::IF_RANGE).is_none_or(|known| known == tag);
    let range = text(header::RANGE).filter(|_| answer.status == 200 && is_same);
    let (status, start, end) = match range.map(|range| parse_range(range, total)) {
        None | Some(ByteRange::Full) => {
            (StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), 0, total)
        }
        Some(ByteRange::Range(start, end)) => (StatusCode::PARTIAL_CONTENT, start, end),
        Some(ByteRange::Unsatisfiable) => {
            let response = plain(StatusCode::RANGE_NOT_SATISFIABLE, "the range is past the end of the file");
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

/// The meaning of a `Range` header.
#[derive(Debug, PartialEq, Eq)]
enum ByteRange {
    Full,
    /// Offset of the first byte, and the offset after the last byte.
    Range(u64, u64),
    Unsatisfiable,
}

/// Parses a `Range` header (RFC 9110). Anything that is not a single range of bytes requests the complete content.
fn parse_range(range: &str, total: u64) -> ByteRange {
    let Some((first, last)) = range.strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
        return ByteRange::Full;
    };
    let (first, last) = (first.trim(), last.trim());
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), _) if first >= total => ByteRange::Unsatisfiable,
        (Ok(first), Ok(last)) if last < first => ByteRange::Full,
        (Ok(first), Ok(last)) => ByteRange::Range(first, last.saturating_add(1).min(total)),
        (Ok(first), Err(_)) if last.is_empty() => ByteRange::Range(first, total),
        (Err(_), Ok(count)) if first.is_empty() && (count == 0 || total == 0) => ByteRange::Unsatisfiable,
        (Err(_), Ok(count)) if first.is_empty() => ByteRange::Range(total.saturating_sub(count), total),
        _ => ByteRange::Full,
    }
}

/// A body that is sent in chunks.
fn streamed(content: Content, start: u64, end: u64) -> Body {
    if let Content::Bytes(bytes) = &content
        && start == 0
        && end == content.len()
    {
        return full_body(Bytes::from_owner(Arc::clone(bytes)));
    }
    let chunks = stream::unfold((content, start), move |(content, at)| async move {
        if at >= end {
            return None;
        }
        let next = at.saturating_add(CHUNK).min(end);
        let read = move || (content.read(at, next), content);
        match tokio::task::spawn_blocking(read).await {
            Ok((chunk, content)) => Some((chunk.map(|chunk| Frame::data(chunk.into())), (content, next))),
            Err(error) => {
                Some((Err(Error::unsupported(error.to_string())), (Content::Bytes([].into()), end)))
            }
        }
    });
    StreamBody::new(chunks).boxed_unsync()
}

/// A body that is in memory.
fn full_body(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// A file of the page.
fn page_file(path: &str) -> Response {
    match page::file(path) {
        Some(file) => {
            let response = Response::new(full_body(file.bytes));
            let response = with(response, header::CONTENT_TYPE, file.media_type());
            with(response, header::CONTENT_ENCODING, "gzip")
        }
        None if path.is_empty() => {
            let response = Response::new(full_body(page::missing()));
            with(response, header::CONTENT_TYPE, "text/html; charset=utf-8")
        }
        None => plain(StatusCode::NOT_FOUND, "not found"),
    }
}

fn redirect(to: &str) -> Response {
    with(plain(StatusCode::FOUND, ""), header::LOCATION, to)
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(full_body(text));
    *response.status_mut() = status;
    with(response, header::CONTENT_TYPE, "text/plain; charset=utf-8")
}

/// Adds a header, unless its value is not allowed in HTTP.
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
    fn parses_ranges_as_specified() {
        for (range, expected) in [
            ("bytes=0-9", ByteRange::Range(0, 10)),
            ("bytes=5-", ByteRange::Range(5, 100)),
            ("bytes=-10", ByteRange::Range(90, 100)),
            ("bytes=-1000", ByteRange::Range(0, 100)),
            ("bytes=90-1000", ByteRange::Range(90, 100)),
            ("bytes=100-", ByteRange::Unsatisfiable),
            ("bytes=-0", ByteRange::Unsatisfiable),
            ("bytes=9-5", ByteRange::Full),
            ("bytes=0-1,5-6", ByteRange::Full),
            ("lines=0-1", ByteRange::Full),
            ("bytes=", ByteRange::Full),
            ("bytes=-", ByteRange::Full),
        ] {
            assert_eq!(parse_range(range, 100), expected, "{range}");
        }
        assert_eq!(
            (parse_range("bytes=-5", 0), parse_range("bytes=0-", 0)),
            (ByteRange::Unsatisfiable, ByteRange::Unsatisfiable)
        );
    }
}
