//! The engine behind the adapter: started when it is first needed, and again after it has failed.

use crate::clock::Clock;
use crate::syntax::Refusal;
use alea::game::dice::{Shape, Side};
use alea_tools::engine::{Engine, EngineError, Limits, OptionKind, OptionLine, Patience, Search, Stop};
use std::time::Duration;

/// The engine and how long it may think.
pub struct Player {
    command: Vec<String>,
    shape: Shape,
    engine: Option<Engine>,
    /// Options that have been set, in order: set again in an engine that is started again.
    set: Vec<(String, String)>,
    /// What limits a search.
    pub limits: Limits,
    clocks: [Option<Clock>; 2],
}

impl Player {
    /// An engine that is not started yet.
    pub fn new(command: Vec<String>, shape: Shape, set: Vec<(String, String)>, limits: Limits) -> Player {
        Player { command, shape, engine: None, set, limits, clocks: [None, None] }
    }

    /// Do something with the engine. One that has failed is gone; the next question starts another.
    fn ask<T>(&mut self, question: impl FnOnce(&mut Engine) -> Result<T, EngineError>) -> Result<T, Refusal> {
        let answer = match self.start() {
            Ok(engine) => question(engine),
            Err(error) => Err(error),
        };
        answer.map_err(|error| {
            let asked_wrongly = matches!(
                error,
                EngineError::Refused { .. } | EngineError::NoOption { .. } | EngineError::LineBreak { .. }
            );
            if !asked_wrongly {
                self.engine = None;
            }
            Refusal::Other(error.to_string())
        })
    }

    fn start(&mut self) -> Result<&mut Engine, EngineError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let mut engine = Engine::start(&self.command, Patience::default())?;
                engine.set_game("dice")?;
                // Before the options: a network is of one shape.
                engine.position(&format!("position startpos {} {}", self.shape.size(), self.shape.win()))?;
                for (name, value) in &self.set {
                    engine.set_option(name, Some(value))?;
                }
                engine.ready()?;
                engine
            }
        };
        Ok(self.engine.insert(engine))
    }

    /// What the engine calls itself.
    pub fn name(&mut self) -> Result<String, Refusal> {
        self.ask(|engine| Ok(engine.name().to_string()))
    }

    /// What can be set, but for the game, and what each is set to.
    pub fn options(&mut self) -> Result<Vec<(OptionLine, String)>, Refusal> {
        let lines = self.ask(|engine| Ok(engine.options().to_vec()))?;
        let plays_dice = |option: &OptionLine| !["game", "uci_variant"].contains(&option.name.to_lowercase().as_str());
        Ok(lines.into_iter().filter(plays_dice).map(|option| (option.clone(), self.value(&option))).collect())
    }

    fn value(&self, option: &OptionLine) -> String {
        let set = self.set.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(&option.name));
        set.map(|(_, value)| value.clone()).or_else(|| option.default()).unwrap_or_default()
    }

    /// Set an option, or press a button.
    pub fn set_option(&mut self, option: &OptionLine, value: &str) -> Result<(), Refusal> {
        let button = option.kind == OptionKind::Button;
        self.ask(|engine| engine.set_option(&option.name, (!button).then_some(value)))?;
        if !button {
            self.set.retain(|(name, _)| !name.eq_ignore_ascii_case(&option.name));
            self.set.push((option.name.clone(), value.to_string()));
        }
        Ok(())
    }

    /// Have everything learnt forgotten, if there is an engine that has learnt.
    pub fn forget(&mut self) -> Result<(), Refusal> {
        if self.engine.is_some() { self.ask(Engine::new_game) } else { Ok(()) }
    }

    /// What the engine says of the static value.
    pub fn eval(&mut self, position: &str) -> Result<String, Refusal> {
        let lines = self.ask(|engine| {
            engine.position(position)?;
            engine.lines("eval")
        })?;
        Ok(lines.join("\n"))
    }

    /// Set both clocks.
    pub fn set_clocks(&mut self, clock: Option<Clock>) {
        self.clocks = [clock; 2];
    }

    /// What the controller says is left.
    pub fn set_time_left(&mut self, side: Side, left: Duration, moves: u32) {
        self.clocks[side as usize].get_or_insert_default().set(left, moves);
    }

    /// A move for the side to move, on its clock.
    pub fn think(&mut self, position: &str, side: Side, stop: &Stop) -> Result<Search, Refusal> {
        let mut clock = String::new();
        if let Some(own) = self.clocks[side as usize] {
            let [first, second] = self.clocks.map(|clock| clock.unwrap_or(own).words().0);
            let moves = own.words().1.map(|moves| format!(" movestogo {moves}")).unwrap_or_default();
            clock = format!(" p1time {first} p2time {second}{moves}");
        }
        let search = self.search(position, &self.limits.go(&clock), stop)?;
        if let Some(clock) = &mut self.clocks[side as usize] {
            clock.spend(search.time);
        }
        Ok(search)
    }

    /// Look into a position, on nobody's clock.
    pub fn analyse(&mut self, position: &str, stop: &Stop) -> Result<Search, Refusal> {
        self.search(position, &self.limits.go(""), stop)
    }

    /// The same, with every one of so many moves valued.
    pub fn analyse_moves(&mut self, position: &str, moves: usize, stop: &Stop) -> Result<Search, Refusal> {
        let (position, go) = (position.to_string(), self.limits.go(""));
        let before = self.set.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case("MultiPV")).cloned();
        self.ask(|engine| {
            let default = engine.option("MultiPV").and_then(OptionLine::default).unwrap_or_else(|| "1".into());
            engine.set_option("MultiPV", Some(&moves.to_string()))?;
            let found = engine.position(&position).and_then(|()| engine.go(&go, stop, |_| ()));
            engine.set_option("MultiPV", Some(&before.map_or(default, |(_, value)| value)))?;
            found
        })
    }

    fn search(&mut self, position: &str, go: &str, stop: &Stop) -> Result<Search, Refusal> {
        self.ask(|engine| {
            engine.position(position)?;
            engine.go(go, stop, |_| ())
        })
    }
}
