//! A server under test, and plain HTTP to it: every header is ours to forge.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything here takes, on the slowest of machines.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// An engine that shakes hands and ends when it is to think.
pub const FRAIL: &str = "frail=sh -c 'while read -r line; do case \"$line\" in uci) echo id name frail; echo uciok;; \
                         isready) echo readyok;; go*) echo out of luck >&2; exit 3;; esac; done'";

/// A running server. Dropping it ends it.
pub struct Server {
    child: Child,
    pub address: String,
    pub port: u16,
    pub token: String,
}

impl Server {
    /// Start with these arguments.
    pub fn start(arguments: &[&str]) -> Server {
        assert!(
            alea_tools::programs::beside("alea").is_some(),
            "no alea: run `cargo test --release --workspace`, or `cargo build --release` first"
        );
        let mut command = Command::new(env!("CARGO_BIN_EXE_alea-board"));
        command.arg("--no-browser").args(arguments).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_string();
        let (host, token) = address.strip_prefix("http://").unwrap().trim_end_matches('/').split_once('/').unwrap();
        let port = host.strip_prefix("127.0.0.1:").expect("this machine alone").parse().unwrap();
        let token = token.to_string();
        Server { child, address, port, token }
    }

    /// A connection with a request sent on it.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        // A server that refuses may have closed already.
        let _ = stream.write_all(body);
        stream
    }

    /// Ask, with exactly these headers: the status, the head and the body.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, String, String) {
        let mut bytes = Vec::new();
        let _ = self.send(method, path, headers, body).read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let whole = if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            unchunked(body)
        } else {
            body.into()
        };
        (status, head.to_string(), whole)
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Ask as the page does.
    pub fn ask(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> (u16, Value) {
        let host = self.host();
        let headers = [("Host", host.as_str()), ("Content-Type", kind)];
        let (status, _, body) = self.raw(method, &format!("/{}/api/{path}", self.token), &headers, body);
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    /// Ask with an object; what is answered.
    pub fn post(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.ask("POST", path, "application/json", body.to_string().as_bytes());
        assert_eq!(status, 200, "{path} {body}: {answer}");
        answer
    }

    /// The same, of something that is refused: why.
    pub fn refused(&self, path: &str, body: Value) -> String {
        let (status, answer) = self.ask("POST", path, "application/json", body.to_string().as_bytes());
        assert!((400..500).contains(&status), "{path} {body}: {status} {answer}");
        answer["error"].as_str().map_or(answer.to_string(), str::to_string)
    }

    /// Listen to a game.
    pub fn events(&self, game: &str) -> Events {
        let host = self.host();
        let path = format!("/{}/api/games/{game}/events", self.token);
        Events { reader: BufReader::new(self.send("GET", &path, &[("Host", &host)], b"")), waiting: Vec::new() }
    }

    /// The processes that the server has started and that run.
    pub fn engines(&self) -> Vec<u32> {
        let parent = |stat: &str| -> Option<u32> {
            let rest = stat.rsplit_once(')')?.1;
            let mut words = rest.split_whitespace();
            (words.next()? != "Z").then(|| words.next()?.parse().ok())?
        };
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        ids.filter(|id| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            parent(&stat) == Some(self.child.id())
        })
        .collect()
    }

    /// Wait until so many engines run.
    pub fn wait_for_engines(&self, count: usize) -> Vec<u32> {
        until(&format!("{count} engines"), || Some(self.engines()).filter(|engines| engines.len() == count))
    }

    /// End it politely; its status.
    pub fn end(mut self) -> Option<i32> {
        let id = i32::try_from(self.child.id()).unwrap();
        let pid = rustix::process::Pid::from_raw(id).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ask again until there is an answer.
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn unchunked(body: &str) -> String {
    let (mut rest, mut whole) = (body, String::new());
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || more.len() < size {
            break;
        }
        whole.push_str(&more[..size]);
        rest = more[size..].trim_start_matches("\r\n");
    }
    whole
}

/// The stream of a game's events. Dropping it hangs up, as a page does that is closed.
pub struct Events {
    reader: BufReader<TcpStream>,
    waiting: Vec<Value>,
}

impl Events {
    /// The next event.
    pub fn next(&mut self) -> Value {
        while self.waiting.is_empty() {
            let mut line = String::new();
            let read = self.reader.read_line(&mut line).expect("a line of the stream");
            assert!(read > 0, "the stream has ended");
            if let Some(data) = line.trim_end().strip_prefix("data: ") {
                self.waiting = serde_json::from_str(data).unwrap();
            }
        }
        self.waiting.remove(0)
    }

    /// The next event of which something holds.
    pub fn find(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = self.next();
            if holds(&event) {
                return event;
            }
        }
    }

    /// Wait for a line of an engine that begins so.
    pub fn line(&mut self, begin: &str) -> String {
        let event = self.find(|event| event["text"].as_str().is_some_and(|text| text.starts_with(begin)));
        event["text"].as_str().unwrap().to_string()
    }
}
