//! Connections: their number is limited, and idle ones are closed.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Maximum number of connections. A browser opens 6; each takes a file descriptor, of which some systems have 256.
const MAX_CONNECTIONS: usize = 64;

/// Maximum number of further connections that are answered with [`BUSY`].
const MAX_REFUSED: usize = 64;

/// Time after which an idle connection is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// Time in which a refused connection has to read the response.
const REFUSAL_TIMEOUT: Duration = Duration::from_millis(200);

/// Waiting time when the system has no descriptor for another connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Maximum size of the request line and headers, in bytes.
const MAX_HEADER_BYTES: usize = 64 << 10;

/// Response to a connection above the limit.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 43\r\n\
    retry-after: 1\r\nconnection: close\r\n\r\ntoo many connections; try again in a moment";

/// Answers requests on all connections, forever.
pub(super) async fn serve<A, F, B>(listener: &TcpListener, answer: A) -> !
where
    A: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send,
    B: Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
{
    let (permits, refused_permits) =
        (Arc::new(Semaphore::new(MAX_CONNECTIONS)), Arc::new(Semaphore::new(MAX_REFUSED)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(IDLE_TIMEOUT).max_buf_size(MAX_HEADER_BYTES);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The connection is already closed, or the system has no descriptor for it until others are closed.
            sleep(PAUSE).await;
            continue;
        };
        if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            let connection = http.serve_connection(TokioIo::new(stream), service_fn(answer.clone()));
            tokio::spawn(async move {
                // Protocol errors and closed connections need no response.
                let _ = connection.await;
                drop(permit);
            });
        } else if let Ok(permit) = Arc::clone(&refused_permits).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = timeout(REFUSAL_TIMEOUT, refuse(stream)).await;
                drop(permit);
            });
        }
    }
}

async fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(BUSY).await?;
    stream.shutdown().await?;
    // If the connection is closed with unread data, it is reset, and the response is lost.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
