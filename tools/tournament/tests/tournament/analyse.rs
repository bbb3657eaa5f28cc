//! Finished games, judged by an engine.

use crate::arena::{Arena, fake};
use std::fs;

#[test]
fn luck_and_mistakes_add_up() {
    let arena = Arena::new();
    let engines = [fake("A", "spread", "depth=1"), fake("B", "none", "depth=1")];
    arena.succeed(&["run", &engines[0], &engines[1], "--pairs", "2", "--out", "DIR/out"]);
    let shown = arena.succeed(&["analyse", "DIR/out", "3", "--depth", "3", "--json", "DIR/game.json"]);
    assert!(shown.contains("Game 3: A (blue, rows) against B (red, columns)"), "{shown}");
    assert!(shown.contains("mistakes") && shown.contains("depth=3"), "{shown}");

    let text = fs::read_to_string(arena.path("game.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let plies = json["plies"].as_array().unwrap();
    let record = &arena.games("out")[2];
    assert_eq!(plies.len(), record["plies"].as_array().unwrap().len());
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let mut sums = [[0.0; 2]; 2];
    for (i, ply) in plies.iter().enumerate() {
        let word = format!("{}:{}", ply["roll"].as_str().unwrap(), ply["move"].as_str().unwrap());
        assert_eq!(word, record["plies"][i]);
        assert!(
            (number(&ply["after_roll"]) - number(&ply["before_roll"]) - number(&ply["luck"])).abs() < 1e-9,
            "{ply}"
        );
        let mistake = number(&ply["mistake"]);
        assert!(mistake <= 0.0, "{ply}");
        assert!((number(&ply["after_move"]) - number(&ply["after_roll"]) - mistake).abs() < 1e-9, "{ply}");
        assert_eq!(ply["move"] == ply["best"], mistake == 0.0, "{ply}");
        sums[i % 2][0] += number(&ply["luck"]);
        sums[i % 2][1] += mistake;
    }
    for (side, [luck, mistakes]) in json["sides"].as_array().unwrap().iter().zip(sums) {
        assert!((number(&side["luck"]) - luck).abs() < 1e-9 && (number(&side["mistakes"]) - mistakes).abs() < 1e-9);
    }
    // Engines that play at random make mistakes; one that judges itself at the same depth makes none.
    assert!(sums[0][1] + sums[1][1] < -0.1, "{shown}");
    let own = ["--engine=name=A,depth=3", "--engine=name=B,depth=3"];
    arena.succeed(&["run", own[0], own[1], "--pairs", "1", "--out", "DIR/own"]);
    arena.succeed(&["analyse", "DIR/own", "1", "--depth", "3", "--json", "DIR/own.json"]);
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(arena.path("own.json")).unwrap()).unwrap();
    for side in json["sides"].as_array().unwrap() {
        assert!(number(&side["mistakes"]).abs() < 1e-4, "{side}");
    }
}

#[test]
fn engines_that_cannot_judge_are_named() {
    let arena = Arena::new();
    let engines = [fake("A", "spread", "depth=1"), fake("B", "none", "depth=1")];
    arena.succeed(&["run", &engines[0], &engines[1], "--pairs", "1", "--out", "DIR/out"]);
    let error = arena.refuse(&["analyse", "DIR/out", "1", "--engine", "./no-such-engine"]);
    assert!(error.contains("no-such-engine"), "{error}");
    let error = arena.refuse(&["analyse", "DIR/out", "9"]);
    assert!(error.contains("no game 9") && error.contains("games 1 to 2"), "{error}");
    let error = arena.refuse(&["analyse", "DIR/out"]);
    assert!(error.contains("say which game"), "{error}");
    let judge = crate::arena::fake_engine() + " crash 2";
    let error = arena.refuse(&["analyse", "DIR/out", "1", "--engine", &judge]);
    assert!(error.contains("exited with code 3"), "{error}");
}
