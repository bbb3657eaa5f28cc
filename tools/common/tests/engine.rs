//! Engines that behave and engines that do not, each a few lines of shell: what the client makes of them.
#![cfg(unix)]

use alea_tools::engine::{Direction, Engine, EngineError, OptionKind, Patience, Stop};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The beginning of a conversation with an engine; `$body` is a `case` over the words of each further line.
fn script(body: &str) -> Vec<String> {
    let text = format!(
        "while read -r word rest; do case \"$word\" in \
           uci) echo 'id name Fake 1'; echo 'option name Hash type spin default 4 min 1 max 9'; \
                echo 'option name Clear Hash type button'; echo uciok;; \
           isready) echo readyok;; quit) exit 0;; {body} esac; done"
    );
    vec!["sh".into(), "-c".into(), text]
}

fn patience(ms: u64) -> Patience {
    let short = Duration::from_millis(ms);
    Patience { start: Duration::from_secs(10), answer: short, search: Some(short) }
}

fn start(body: &str) -> Engine {
    Engine::start(&script(body), patience(10_000)).unwrap()
}

fn is_running(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

#[test]
fn a_conversation() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&heard);
    let listener = Box::new(move |way, line: &str| kept.lock().unwrap().push((way, line.to_string())));
    let body = "go) echo 'info depth 1 multipv 1 value 0.5 pv a1'; echo 'info depth 2 multipv 1 value 0.25 pv b2 0:c1'; \
                   echo 'info depth 2 multipv 2 value 0.1 pv a1'; echo 'info nodes 5'; echo 'info string exact'; \
                   echo 'info roll 3 value -1 pv c3'; echo 'bestmove b2 ponder c1';; \
                query) echo 'info string hm'; echo 'response a1 b2 ';; d) echo one; echo; echo two;;";
    let mut engine = Engine::start_heard(&script(body), patience(10_000), Some(listener)).unwrap();
    assert_eq!(engine.name(), "Fake 1");
    assert_eq!(engine.options().len(), 2);
    assert_eq!(engine.option("hash").unwrap().kind, OptionKind::Spin { default: 4, min: 1, max: 9 });
    engine.set_option("HASH", Some("5")).unwrap();
    engine.set_option("clear hash", None).unwrap();
    engine.set_game("dice").unwrap();
    engine.new_game().unwrap();
    engine.ready().unwrap();
    engine.position("position startpos 3 3").unwrap();
    assert_eq!(engine.query("moves").unwrap(), "a1 b2");
    assert_eq!(engine.lines("d").unwrap(), ["one", "", "two"]);
    let mut depths = Vec::new();
    let search = engine.go("go depth 2", &Stop::new().unwrap(), |info| depths.extend(info.depth)).unwrap();
    assert_eq!(depths, [1, 2, 2]);
    assert_eq!(search.best.as_deref(), Some("b2"));
    let values: Vec<_> = search.lines.iter().map(|info| info.value).collect();
    assert_eq!(values, [Some(0.25), Some(0.1)]);
    assert_eq!((search.rolls.len(), search.notes), (1, vec!["exact".to_string()]));
    let heard = heard.lock().unwrap().clone();
    for line in [(Direction::Said, "setoption name Hash value 5"), (Direction::Heard, "id name Fake 1")] {
        assert!(heard.contains(&(line.0, line.1.to_string())), "{line:?}");
    }
    let pid = engine.process_id();
    engine.quit();
    assert!(!is_running(pid));
}

#[test]
fn what_is_refused_leaves_the_engine_as_it_was() {
    let refuse = "echo \"info string error: '$rest': no\"";
    let mut engine = start(&format!("position) {refuse};; query) {refuse};; go) {refuse}; echo 'bestmove (none)';;"));
    let errors = [
        engine.position("position x").unwrap_err(),
        engine.query("x").unwrap_err(),
        engine.go("go x", &Stop::new().unwrap(), |_| ()).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(&error, EngineError::Refused { message, .. } if message == "'x': no"), "{error:?}");
        assert_eq!(error.to_string(), "'x': no");
    }
    let error = engine.set_option("Hush", Some("5")).unwrap_err().to_string();
    assert_eq!(error, "'Hush': expected an option of the engine: Hash, Clear Hash");
    assert!(matches!(engine.set_game("chess"), Err(EngineError::NoOption { .. })));
    for line in ["position a\nquit", "position a\rquit"] {
        assert!(matches!(engine.position(line), Err(EngineError::LineBreak { .. })));
    }
    engine.ready().unwrap();
}

#[test]
fn a_search_ends_when_it_is_told_to() {
    let mut engine = start("go) echo 'info depth 1 value 0 pv a1';; stop) echo 'bestmove a1';;");
    let stop = Arc::new(Stop::new().unwrap());
    let raiser = Arc::clone(&stop);
    let search = engine.go("go infinite", &stop, move |_| raiser.raise()).unwrap();
    assert_eq!(search.best.as_deref(), Some("a1"));
    // One that was raised before the search began stops it too.
    assert_eq!(engine.go("go infinite", &stop, |_| ()).unwrap().best.as_deref(), Some("a1"));
    engine.ready().unwrap();
}

#[test]
fn an_engine_that_fails_is_ended_and_the_failure_is_named() {
    let go = |body: &str| {
        let mut engine = Engine::start(&script(body), patience(300)).unwrap();
        let pid = engine.process_id();
        let error = engine.go("go depth 3", &Stop::new().unwrap(), |_| ()).unwrap_err();
        assert!(!is_running(pid), "{body}");
        assert!(matches!(engine.ready(), Err(EngineError::Gone { .. })), "{body}");
        error.to_string()
    };
    assert_eq!(go("go) echo 'out of cheese' >&2; exit 3;;"), "the engine exited with code 3; it said: out of cheese");
    assert_eq!(go("go) kill -9 $$;;"), "the engine was killed by signal 9");
    assert_eq!(go("go) exec >&-; sleep 9;;"), "the engine closed its output");
    assert_eq!(go("go) ;;"), "the engine did not answer 'go depth 3' within 0.3 s");
    assert_eq!(go("go) echo checkmate;;"), "the engine's answer to 'go depth 3': 'checkmate' is no answer");
    assert_eq!(go("go) echo bestmove;;"), "the engine's answer to 'go depth 3': 'bestmove' is no answer");
    assert_eq!(go("go) printf 'info \\377\\n';;"), "the engine's answer to 'go depth 3': a line is not UTF-8");
    assert_eq!(go("go) while :; do echo info depth 1; done;;"), "the engine did not answer 'go depth 3' within 0.3 s");
    let long = "the engine's answer to 'go depth 3': a line is longer than a megabyte";
    assert_eq!(go("go) tr '\\0' x < /dev/zero;;"), long);
}

#[test]
fn a_flood_in_place_of_an_answer_is_bounded() {
    let mut engine = start("d) while :; do echo flood; done;;");
    let begun = Instant::now();
    let error = engine.lines("d").unwrap_err().to_string();
    assert_eq!(error, "the engine's answer to 'isready': it writes without end");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_engine_that_does_not_stop_is_not_waited_for() {
    let mut engine = Engine::start(&script("go) ;;"), Patience { search: None, ..patience(300) }).unwrap();
    let stop = Stop::new().unwrap();
    stop.raise();
    let error = engine.go("go infinite", &stop, |_| ()).unwrap_err().to_string();
    assert_eq!(error, "the engine did not answer 'go infinite' within 0.3 s");
}

#[test]
fn what_is_no_engine_is_named() {
    let start = |words: &[&str], ms| {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let short = Duration::from_millis(ms);
        Engine::start(&words, Patience { start: short, answer: short, search: None }).err().unwrap().to_string()
    };
    assert!(start(&["no-such-engine"], 99).starts_with("'no-such-engine' cannot be started: "));
    assert!(start(&[], 99).contains("no command"));
    assert_eq!(start(&["sleep", "9"], 200), "the engine did not answer 'uci' within 0.2 s");
    assert_eq!(start(&["sh", "-c", "echo help >&2; exit 1"], 9000), "the engine exited with code 1; it said: help");
}

#[test]
fn nothing_is_left_behind() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().display();
    let mut engine = start(&format!("d) sleep 99 & echo $! > {path};;"));
    engine.lines("d").unwrap();
    let pid = engine.process_id();
    let child: u32 = std::fs::read_to_string(file.path()).unwrap().trim().parse().unwrap();
    assert!(is_running(pid) && is_running(child));
    drop(engine);
    assert!(!is_running(pid));
    // Whoever inherits an orphan reaps it in a moment.
    let begun = Instant::now();
    let ended = || {
        std::fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|stat| stat.contains(") Z "))
            || !is_running(child)
    };
    while !ended() {
        assert!(begun.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(5));
    }
}
