//! The external player of GNU Backgammon: it connects, we answer.
//!
//! Each connection has a thread and an engine of its own, so that both players of one game may be external, and several
//! programs may play at once. Whatever is wrong with a line is answered with `Error: …`, which GNU Backgammon shows.

use crate::error::Error;
use crate::lines::Lines;
use crate::player::{Player, Style};
use alea_tools::engine::Stop;
use alea_tools::output::say;
use rustix::event::{PollFd, PollFlags, poll};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// Connections that are served at once; more are turned away.
const MOST_CONNECTIONS: usize = 16;
/// How long somebody who does not read may hold an answer up.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long to wait after a connection that could not be accepted: it may be that there are no more file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Where and how to serve.
pub struct Service {
    /// The address to listen on.
    pub listen: String,
    /// How to play.
    pub style: Style,
    /// Whether to leave when the first connection has ended.
    pub once: bool,
    /// Whether to show every line.
    pub verbose: bool,
}

/// Serve until `stop` is raised.
pub fn serve(service: Service, stop: &Arc<Stop>) -> Result<(), Error> {
    let refused = |source| Error::Listen { address: service.listen.clone(), source };
    let listener = TcpListener::bind(service.listen.as_str()).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    // An engine that cannot be had is better known before the first game.
    let player = Player::start(&service.style).map_err(Error::Engine)?;
    say(&welcome(player.name(), address));
    let mut ready = Some(player);
    let service = Arc::new(service);
    let (open, (ended, ends)) = (Arc::new(AtomicUsize::new(0)), mpsc::channel());
    while readable(&listener, stop) {
        let (stream, peer) = match listener.accept() {
            Ok(connection) => connection,
            Err(error) => {
                crate::log(&format!("a connection could not be accepted: {error}"));
                thread::sleep(PAUSE);
                continue;
            }
        };
        if open.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
            open.fetch_sub(1, Ordering::SeqCst);
            crate::log(&format!("{peer} is turned away: {MOST_CONNECTIONS} connections are open"));
            continue;
        }
        let (service, stop, open, ended) = (Arc::clone(&service), Arc::clone(stop), Arc::clone(&open), ended.clone());
        let (once, player) = (service.once, ready.take());
        let served = thread::Builder::new().spawn(move || {
            attend(stream, peer, player, &service, &stop);
            open.fetch_sub(1, Ordering::SeqCst);
            let _ = ended.send(());
        });
        served.map_err(|source| Error::System { what: "start a thread", source })?;
        if once {
            let _ = ends.recv();
            return Ok(());
        }
    }
    // Engines are told to quit before this program does.
    while open.load(Ordering::SeqCst) > 0 && ends.recv_timeout(Duration::from_secs(2)).is_ok() {}
    Ok(())
}

fn welcome(name: &str, address: SocketAddr) -> String {
    format!(
        "{name} listens on {address}. In gnubg, for player 0 (Settings, Players, External in the window):\n  \
         set player 0 external {address}\n  set jacoby off\n  new session\nCtrl-C ends it.\n"
    )
}

/// One connection, from its first line to its end.
fn attend(mut stream: TcpStream, peer: SocketAddr, player: Option<Player>, service: &Service, stop: &Stop) {
    let player = player.map_or_else(|| Player::start(&service.style), Ok);
    let mut player = match player {
        Ok(player) => player,
        Err(error) => {
            crate::log(&format!("{peer}: {error}"));
            let _ = writeln!(stream, "Error: {error}");
            return;
        }
    };
    crate::log(&format!("{peer}: connected"));
    let mut lines = 0;
    let ended = converse(&mut stream, &mut player, stop, |line, answer| {
        lines += 1;
        if service.verbose {
            crate::log(&format!("{peer}> {}\n{peer}< {answer}", alea_tools::text::visible(line, 300)));
        }
    });
    let why = ended.err().map_or(String::new(), |error| format!(": {error}"));
    crate::log(&format!("{peer}: closed after {lines} lines{why}"));
    player.quit();
}

fn converse(
    stream: &mut TcpStream,
    player: &mut Player,
    stop: &Stop,
    mut heard: impl FnMut(&str, &str),
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let mut lines = Lines::default();
    let mut chunk = [0; 4096];
    while readable(&*stream, stop) {
        let read = match stream.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut whole = Vec::new();
        lines.feed(&chunk[..read], |line| whole.push(line));
        for line in whole {
            let answer = match &line {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => player.answer(line, stop).map_or_else(|e| format!("Error: {e}"), |a| a.to_string()),
                Err(error) => format!("Error: {error}"),
            };
            heard(line.as_deref().unwrap_or_default(), &answer);
            stream.write_all(format!("{answer}\n").as_bytes())?;
        }
    }
    Ok(())
}

/// Wait until there is something to read; false when it is time to stop.
fn readable(source: &impl AsFd, stop: &Stop) -> bool {
    loop {
        let mut fds = [PollFd::new(source, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return false,
            Ok(_) if !fds[1].revents().is_empty() => return false,
            Ok(_) if !fds[0].revents().is_empty() => return true,
            Ok(_) => {}
        }
    }
}
