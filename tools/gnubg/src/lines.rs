//! Lines out of bytes that anybody may send: bounded, and never a reason to stop.

use std::fmt;

/// No line that means anything is as long.
pub const MAX_LINE: usize = 4096;

/// Why bytes are no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineError {
    /// It is longer than any line that means something.
    TooLong,
    /// It is not UTF-8.
    NotText,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::TooLong => write!(f, "expected a line of at most {MAX_LINE} bytes"),
            LineError::NotText => f.write_str("expected a line of UTF-8"),
        }
    }
}

impl std::error::Error for LineError {}

/// Puts lines together. GNU Backgammon puts a NUL between its lines: NULs and carriage returns are passed over.
#[derive(Default)]
pub struct Lines {
    pending: Vec<u8>,
    too_long: bool,
}

impl Lines {
    /// Take bytes in; `take` is called for every line that they complete.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Result<String, LineError>)) {
        for &byte in bytes {
            match byte {
                b'\n' => take(self.finish()),
                0 | b'\r' => {}
                _ if self.pending.len() == MAX_LINE => self.too_long = true,
                _ => self.pending.push(byte),
            }
        }
    }

    /// What stands behind the end of the last line, if anything does.
    pub fn rest(&mut self) -> Option<Result<String, LineError>> {
        (!self.pending.is_empty()).then(|| self.finish())
    }

    fn finish(&mut self) -> Result<String, LineError> {
        let line = std::mem::take(&mut self.pending);
        if std::mem::take(&mut self.too_long) {
            return Err(LineError::TooLong);
        }
        String::from_utf8(line).map_err(|_| LineError::NotText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(chunks: &[&[u8]]) -> Vec<Result<String, LineError>> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        chunks.iter().for_each(|chunk| lines.feed(chunk, |line| found.push(line)));
        found
    }

    #[test]
    fn lines_are_put_together_and_bounded() {
        assert_eq!(fed(&[b"one\r\n\0two", b"\nthr", b"ee"]), [Ok("one".into()), Ok("two".into())]);
        let long = vec![b'x'; MAX_LINE];
        assert_eq!(fed(&[&long, b"\n"])[0].as_ref().unwrap().len(), MAX_LINE);
        assert_eq!(fed(&[&long, b"yyy", &long, b"\nok\n"]), [Err(LineError::TooLong), Ok("ok".into())]);
        let mut lines = Lines::default();
        lines.feed(b"one\ntwo", |_| ());
        assert_eq!((lines.rest(), lines.rest()), (Some(Ok("two".into())), None));
        assert_eq!(fed(&[b"\xff\xfe\n\n"]), [Err(LineError::NotText), Ok(String::new())]);
    }
}
