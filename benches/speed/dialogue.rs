//! A question to an engine, and when the answer came.

use crate::engine::Engine;
use std::time::{Duration, Instant};

/// Send lines, and wait for an answer that begins like this; how long that took.
pub fn ask(engine: &mut Engine, lines: &str, answer: &str) -> Result<Duration, String> {
    let asked = Instant::now();
    engine.send(lines);
    while let Some((line, at)) = engine.next() {
        if line.starts_with(answer) {
            return Ok(at.saturating_duration_since(asked));
        }
    }
    Err(format!("the engine ended without '{answer}', after: {lines}"))
}
