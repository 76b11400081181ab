//! The server of the explorer, from the point of view of other programs on the same computer.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::setup::Sandbox;

/// A server that ends with the test.
struct Served {
    child: Child,
    host: String,
    /// The path of the page, with the token.
    page: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response.
#[derive(Debug)]
struct Response {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Served {
    /// Starts a server that may open this number of files, from a shell with these variables.
    fn start(sandbox: &Sandbox, descriptors: u32, variables: &[(&str, &str)], arguments: &str) -> Self {
        let program = env!("CARGO_BIN_EXE_antiquary");
        let script = format!("ulimit -n {descriptors} && exec {program} view {arguments}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(sandbox.path("")).envs(variables.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let (host, page) = address.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
        Self { child, host: host.to_owned(), page: format!("/{}", page.split('#').next().unwrap()) }
    }

    /// Sends a raw request and reads the response until the connection is closed.
    fn send(&self, request: &str) -> Response {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let end = all.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(all.len());
        let (headers, body) = all.split_at(end);
        let headers = String::from_utf8_lossy(headers).into_owned();
        let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Response { status, headers, body: body.iter().skip(4).copied().collect() }
    }

    /// Requests a path after the token.
    fn request(&self, path: &str) -> Response {
        self.get(&format!("{}{path}", self.page))
    }

    fn get(&self, path: &str) -> Response {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.host))
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

#[test]
fn closes_idle_connections() {
    let sandbox = Sandbox::with_games();
    for (descriptors, idle) in [(40, 60), (256, 300)] {
        let mut served = Served::start(&sandbox, descriptors, &[], "scpcb --no-open");
        let idle: Vec<_> = (0..idle).map(|_| TcpStream::connect(&served.host).unwrap()).collect();
        sleep(Duration::from_millis(400));
        assert!(served.is_running());
        if descriptors == 256 {
            // This connection exceeds the limit.
            let response = served.request("api/session");
            assert_eq!((response.status, response.body.is_empty()), (503, false), "{response:?}");
        }
        // Idle connections are closed after a while.
        let began = Instant::now();
        while served.request("api/session").status != 200 {
            assert!(began.elapsed() < Duration::from_secs(100), "with {descriptors} descriptors");
            sleep(Duration::from_millis(200));
        }
        drop(idle);
        assert_eq!(served.request("api/names").status, 200);
        assert!(served.is_running());
    }
}

#[test]
fn does_not_keep_viewed_files_open() {
    let sandbox = Sandbox::with_games();
    let model = sandbox.read("redguard/fxart/WALKER01.3DC");
    for number in 0..300 {
        sandbox.put(&format!("redguard/fxart/M{number:03}.3DC"), &model);
    }
    let mut served = Served::start(&sandbox, 64, &[], "redguard --no-open");
    for number in 0..300 {
        let response = served.request(&format!("api/view/redguard/fxart/M{number:03}.3DC?kind=fields"));
        assert_eq!(response.status, 200, "{number}: {response:?}");
    }
    assert!(served.is_running());
}

#[test]
fn ends_a_search_whose_connection_is_closed() {
    let sandbox = Sandbox::with_games();
    symlink("/", sandbox.path("scpcb/z:")).unwrap();
    let served = Served::start(&sandbox, 256, &[], "scpcb --no-open --follow-links");
    // More than are processed at once, each searching the entire disk.
    for _ in 0..4 {
        let mut stream = TcpStream::connect(&served.host).unwrap();
        let request = format!("GET {}api/find?q=zzz HTTP/1.1\r\nhost: {}\r\n\r\n", served.page, served.host);
        stream.write_all(request.as_bytes()).unwrap();
        sleep(Duration::from_millis(100));
        stream.shutdown(Shutdown::Both).unwrap();
    }
    assert_eq!(served.request("api/asset/scpcb/GFX/map/hall_opt.rmesh").status, 200);
    // Without the option, the search stays in the game.
    let served = Served::start(&sandbox, 256, &[], "scpcb --no-open");
    let found = served.request("api/find?q=hall");
    assert!(String::from_utf8_lossy(&found.body).contains("1 symbolic link"), "{found:?}");
}

#[test]
fn the_token_is_not_in_the_process_list() {
    let sandbox = Sandbox::with_games();
    // A fake browser that records its argument.
    sandbox.put("bin/xdg-open", b"#!/bin/sh\necho \"$1\" > shown.new && mv shown.new shown\n");
    std::fs::set_permissions(sandbox.path("bin/xdg-open"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let bin = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap());
    let served = Served::start(&sandbox, 256, &[("PATH", &bin), ("BROWSER", "xdg-open")], "scpcb");
    let began = Instant::now();
    while !sandbox.has("shown") {
        if served.request("").body.windows(20).any(|text| text == b"built without its we") {
            corpus::skip("the program was built without the page of the explorer");
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30));
        sleep(Duration::from_millis(50));
    }
    let shown = String::from_utf8(sandbox.read("shown")).unwrap();
    assert!(!shown.contains(served.page.trim_matches('/')), "{shown}");
    let path = shown.trim().strip_prefix(&format!("http://{}", served.host)).unwrap();
    let response = served.get(path);
    assert_eq!(response.status, 302, "{response:?}");
    assert!(response.headers.contains(&format!("location: {}", served.page)), "{response:?}");
    assert_eq!(served.get(path).status, 403, "the address is valid once");
}

#[test]
fn refuses_a_second_host() {
    let sandbox = Sandbox::with_games();
    let served = Served::start(&sandbox, 256, &[], "scpcb --no-open");
    let (host, page) = (&served.host, &served.page);
    for (hosts, status) in [
        (format!("host: {host}\r\n"), 200),
        (format!("host: {host}\r\nhost: evil.example\r\n"), 403),
        (format!("host: evil.example\r\nHost: {host}\r\n"), 403),
        (String::new(), 403),
    ] {
        let response =
            served.send(&format!("GET {page}api/names HTTP/1.1\r\n{hosts}connection: close\r\n\r\n"));
        assert_eq!(response.status, status, "{hosts}");
    }
}
