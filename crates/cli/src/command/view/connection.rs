//! Connections: so many at once, and each only as long as it is used.

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

/// A browser opens 6. Each takes a file descriptor, of which some systems have 256.
const MOST: usize = 64;

/// So many more are told that there are too many.
const MOST_REFUSED: usize = 64;

/// One that has asked nothing for so long is closed.
const IDLE: Duration = Duration::from_secs(5);

/// How long one that is refused has to take the answer.
const REFUSAL: Duration = Duration::from_millis(200);

/// How long to wait when the system has no descriptor for another connection.
const PAUSE: Duration = Duration::from_millis(50);

/// So many bytes the line and headers of a request may have.
const HEADERS: usize = 64 << 10;

/// The answer to one connection too many.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 43\r\n\
    retry-after: 1\r\nconnection: close\r\n\r\ntoo many connections; try again in a moment";

/// Answers requests on all connections, for ever.
pub(super) async fn serve<A, F, B>(listener: &TcpListener, answer: A) -> !
where
    A: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Response<B>, Infallible>> + Send,
    B: Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
{
    let (room, room_refused) = (Arc::new(Semaphore::new(MOST)), Arc::new(Semaphore::new(MOST_REFUSED)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(IDLE).max_buf_size(HEADERS);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // The connection is gone already, or the system has no descriptor for it until others are closed.
            sleep(PAUSE).await;
            continue;
        };
        if let Ok(permit) = Arc::clone(&room).try_acquire_owned() {
            let connection = http.serve_connection(TokioIo::new(stream), service_fn(answer.clone()));
            tokio::spawn(async move {
                // Whoever breaks the protocol or is gone gets no answer.
                let _ = connection.await;
                drop(permit);
            });
        } else if let Ok(permit) = Arc::clone(&room_refused).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = timeout(REFUSAL, refuse(stream)).await;
                drop(permit);
            });
        }
    }
}

async fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(BUSY).await?;
    stream.shutdown().await?;
    // Closed with something unread, the connection would be reset, and the answer lost.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
