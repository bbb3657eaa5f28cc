//! The engine on the other side of the board.

use alea_tools::engine::{Engine, EngineError, Info, Patience, Search, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A search that Ctrl-C can stop.
pub type Running = Arc<Mutex<Option<Arc<Stop>>>>;

/// The engine, and how long it thinks.
pub struct Opponent {
    command: Vec<String>,
    game: String,
    /// The position before the first move: some options depend on it.
    start: String,
    options: Vec<(String, String)>,
    go: String,
    engine: Engine,
    running: Running,
}

impl Opponent {
    /// Start an engine for a game.
    pub fn start(
        command: Vec<String>,
        game: &str,
        start: String,
        options: Vec<(String, String)>,
        go: String,
        running: Running,
    ) -> Result<Opponent, EngineError> {
        let engine = open(&command, game, &start, &options)?;
        Ok(Opponent { command, game: game.into(), start, options, go, engine, running })
    }

    /// What it calls itself.
    pub fn name(&self) -> &str {
        self.engine.name()
    }

    /// Forget the last game.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.engine.new_game()
    }

    /// Think about a position. An engine that fails is started once more.
    pub fn think(&mut self, position: &str, on_trouble: impl FnOnce(&EngineError)) -> Result<Search, EngineError> {
        match self.search(position) {
            Err(error) if !matches!(error, EngineError::Refused { .. }) => {
                on_trouble(&error);
                self.engine = open(&self.command, &self.game, &self.start, &self.options)?;
                self.search(position)
            }
            found => found,
        }
    }

    fn search(&mut self, position: &str) -> Result<Search, EngineError> {
        let stop = Arc::new(Stop::new().map_err(|source| EngineError::Start { command: "a pipe".into(), source })?);
        let set = |stop| *self.running.lock().unwrap_or_else(PoisonError::into_inner) = stop;
        set(Some(Arc::clone(&stop)));
        let bar = spinner(self.engine.name());
        let engine = &mut self.engine;
        let found =
            engine.position(position).and_then(|()| engine.go(&self.go, &stop, |info| bar.set_message(brief(info))));
        bar.finish_and_clear();
        set(None);
        found
    }
}

fn open(command: &[String], game: &str, start: &str, options: &[(String, String)]) -> Result<Engine, EngineError> {
    let mut engine = Engine::start(command, Patience::default())?;
    engine.set_game(game)?;
    engine.position(start)?;
    options.iter().try_for_each(|(name, value)| engine.set_option(name, Some(value)))?;
    engine.ready()?;
    Ok(engine)
}

/// A sign of life while it thinks, on a terminal.
fn spinner(name: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} thinks {elapsed}, {msg}(Ctrl-C: move now)") {
        bar.set_style(style);
    }
    bar.set_prefix(name.to_string());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn brief(info: &Info) -> String {
    match (info.depth, info.points()) {
        (Some(depth), Some(points)) => format!("depth {depth}, value {points:+.3} "),
        _ => String::new(),
    }
}
