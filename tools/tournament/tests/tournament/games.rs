//! Every game that there is: played by our engine, reported, replayed, analysed, gone on with.

use crate::arena::{Arena, engine, fake};
use alea::games::NAMES;
use serde_json::Value;
use std::fs;

/// Our engine against itself at depth 1, two pairs.
fn words(game: &str) -> [String; 7] {
    let engines = ["A", "B"].map(|name| format!("--engine=name={name},cmd={},depth=1,option.Hash=1", engine()));
    let [a, b] = engines;
    ["run".into(), a, b, format!("--game={game}"), "--pairs=2".into(), "--no-times".into(), "--out".into()]
}

fn played(arena: &Arena, game: &str, out: &str) -> String {
    let words = words(game);
    arena.succeed(&[words.each_ref().map(String::as_str).as_slice(), &[out]].concat())
}

fn plies(game: &Value) -> Vec<&str> {
    game["plies"].as_array().expect("a list").iter().map(|ply| ply.as_str().expect("a ply")).collect()
}

#[test]
fn every_game_is_played_to_its_end_and_shown_again() {
    for game in NAMES {
        let arena = Arena::new();
        let table = played(&arena, game, "DIR/out");
        assert!(table.contains("A v B") && table.contains("points"), "{game}: {table}");
        let games = arena.games("out");
        assert_eq!(games.len(), 4, "{game}");
        for record in &games {
            assert_eq!((&record["game"], &record["reason"]), (&Value::from(*game), &Value::from("rules")), "{record}");
            let points = record["points"].as_u64().expect("points");
            assert_eq!(points == 0, record["result"] == "draw", "{record}");
            assert!(points <= if *game == "backgammon" { 3 } else { 1 }, "{record}");
            assert!(plies(record).len() > 3, "{record}");
        }
        assert_eq!(arena.summary("out")["conditions"]["game"], *game);
        assert!(arena.succeed(&["report", "DIR/out"]).contains(table.trim()), "{game}");
        let shown = arena.succeed(&["replay", "DIR/out", "3"]);
        for (i, ply) in plies(&games[2]).iter().enumerate() {
            let word = ply.split([':', '=']).nth(usize::from(ply.contains(':'))).expect("a move");
            assert!(shown.contains(&format!("\n{}. ", i + 1)) && shown.contains(&format!("plays {word}")), "{shown}");
        }
        assert!(shown.ends_with(&format!("{}\n", games[2]["fen"].as_str().expect("a position"))), "{shown}");
    }
}

/// What is left after a crash is gone on with, and ends with the same bytes; so does a tournament in shards.
#[test]
fn every_game_is_gone_on_with_and_merged() {
    for game in NAMES {
        let arena = Arena::new();
        played(&arena, game, "DIR/whole");
        let files = ["games.jsonl", "summary.json", "table.txt", "score.svg"];
        let read = |out: &str| files.map(|file| fs::read(arena.path(out).join(file)).expect(file));
        let whole = read("whole");
        let cut = whole[0].iter().position(|&byte| byte == b'\n').expect("a line") + 20;
        fs::write(arena.path("whole").join("games.jsonl"), &whole[0][..cut]).expect("a file");
        let output = arena.run(&["run", "--resume", "DIR/whole"]);
        assert!(output.status.success(), "{game}: {}", crate::text(&output.stderr));
        assert!(read("whole") == whole, "{game}: not the same files");
        let words = words(game);
        for shard in ["1/2", "2/2"] {
            let out = format!("DIR/part{}", &shard[..1]);
            let words = words.each_ref().map(String::as_str);
            arena.succeed(&[words.as_slice(), &[&out, "--shard", shard]].concat());
        }
        arena.succeed(&["merge", "DIR/part1", "DIR/part2", "--out", "DIR/merged"]);
        assert!(read("merged") == whole, "{game}: a merge is not the same");
    }
}

/// Chance is the same in both games of a pair, for as long as it can be.
#[test]
fn both_games_of_a_pair_have_the_same_chances() {
    for game in NAMES {
        let arena = Arena::new();
        played(&arena, game, "DIR/out");
        let games = arena.games("out");
        for pair in games.chunks(2) {
            let faces = |record: &Value| -> Vec<(String, String)> {
                let split = |ply: (usize, &&str)| match ply.1.split_once('=') {
                    Some((cell, face)) => Some((cell.to_string(), face.to_string())),
                    None => ply.1.split_once(':').map(|(roll, _)| (ply.0.to_string(), roll.to_string())),
                };
                plies(record).iter().enumerate().filter_map(split).collect()
            };
            let (one, other) = (faces(&pair[0]), faces(&pair[1]));
            for (place, face) in &one {
                let twin = other.iter().find(|(there, _)| there == place);
                // In Dice a line that is full in one of the games is not rolled there.
                let bound = *game != "dice" || place == "0";
                assert!(!bound || twin.is_none_or(|(_, there)| there == face), "{game}, {place}: {pair:?}");
            }
        }
    }
}

#[test]
fn luck_and_mistakes_are_told_in_every_game() {
    for game in NAMES {
        let arena = Arena::new();
        played(&arena, game, "DIR/out");
        let shown = arena.succeed(&["analyse", "DIR/out", "1", "--depth", "1", "--json", "DIR/game.json"]);
        assert!(shown.contains("wrong moves"), "{game}: {shown}");
        let text = fs::read_to_string(arena.path("game.json")).expect("an analysis");
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let judged = json["plies"].as_array().expect("plies");
        let record = &arena.games("out")[0];
        assert_eq!(judged.len(), plies(record).len(), "{game}");
        let mut luck = 0.0;
        for (ply, word) in judged.iter().zip(plies(record)) {
            assert_eq!(ply["roll"].is_null(), !word.contains([':', '=']), "{game}: {ply}");
            assert_eq!(ply["luck"].is_null(), ply["roll"].is_null(), "{game}: {ply}");
            let mistake = ply["mistake"].as_f64().expect("a mistake");
            assert!(mistake <= 0.0 && (ply["move"] != ply["best"] || mistake == 0.0), "{game}: {ply}");
            luck += ply["luck"].as_f64().unwrap_or(0.0).abs();
        }
        assert!(luck > 0.01, "{game}: no luck at all in {shown}");
    }
}

#[test]
fn games_that_cannot_be_played_are_named() {
    let arena = Arena::new();
    let engines = [fake("A", "none", "depth=1"), fake("B", "none", "depth=1")];
    let other = NAMES[1];
    let cases: [(&[&str], &[&str]); 3] = [
        (&["--game=chess"], &["'chess'", "expected one of", other]),
        (&["--game", other, "--shape=9/6"], &["--shape 9/6", other]),
        (&["--game", other], &["engine 'A'", "engine 'B'", "no option 'Game'"]),
    ];
    for (words, said) in cases {
        let error = arena.refuse(&[&["run", &engines[0], &engines[1], "--out", "DIR/no"], words].concat());
        for word in said {
            assert!(error.contains(word), "{words:?}: no '{word}' in {error}");
        }
        assert!(!arena.path("no").exists(), "nothing is left of a tournament that never began");
    }
    let known = format!("--engine=name=C,cmd={},depth=1,option.Game=chess", engine());
    let error = arena.refuse(&["run", &known, "--engine=name=D,depth=1", "--game", other, "--out", "DIR/no"]);
    assert!(error.contains("engine 'C'") && error.contains("'chess'") && !error.contains("'D'"), "{error}");
}

/// A game that does not end is a draw, and known for one by whoever reads it.
#[test]
fn long_games_are_draws() {
    let arena = Arena::new();
    let engines = [fake("A", "spread", "depth=1"), fake("B", "none", "depth=1")];
    let words = ["run", &engines[0], &engines[1], "--pairs=2", "--max-plies=5", "--out", "DIR/out"];
    let table = arena.succeed(&words);
    assert!(table.contains("50.0") && table.contains("+0.000"), "{table}");
    for game in arena.games("out") {
        assert_eq!((&game["reason"], &game["result"]), (&Value::from("ply-limit"), &Value::from("draw")), "{game}");
        assert_eq!(
            (plies(&game).len(), &game["points"], &game["detail"]),
            (5, &Value::from(0), &Value::Null),
            "{game}"
        );
    }
    arena.succeed(&["report", "DIR/out"]);
    assert!(arena.succeed(&["replay", "DIR/out", "1"]).contains("draw (not over after 5 plies)"));
    let error = arena.refuse(&["run", "--resume", "DIR/out", "--max-plies=6"]);
    assert!(error.contains("max_plies: 6 against 5"), "{error}");
}
