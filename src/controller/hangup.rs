//! Noticing that nobody listens any more.
//!
//! A write to a closed pipe fails, but an engine that is idle writes nothing. The kernel can be asked to say when the
//! other end of stdout goes away; the thread that asks sleeps until then.

/// End the process when stdout is closed by whoever reads it. Where the system cannot tell, the next write will.
#[cfg(unix)]
pub fn exit_when_stdout_closes() {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let watch = || {
        let stdout = std::io::stdout();
        loop {
            let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut fds, None) {
                Ok(_) if fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => std::process::exit(0),
                Err(Errno::INTR) => {}
                _ => return,
            }
        }
    };
    // Without a thread to watch it, the next write will tell.
    if let Err(error) = std::thread::Builder::new().name("hangup".into()).spawn(watch) {
        log::warn!("stdout is not watched: {error}");
    }
}

/// End the process when stdout is closed by whoever reads it. Where the system cannot tell, the next write will.
#[cfg(not(unix))]
pub fn exit_when_stdout_closes() {}
