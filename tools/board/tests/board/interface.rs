//! The server by its interface: who may ask, what is known of positions, games that are kept, and engines.

use crate::server::{FRAIL, Server};
use serde_json::{Value, json};
use std::net::TcpStream;

#[test]
fn only_pages_of_this_server_are_answered() {
    let server = Server::start(&[]);
    let host = format!("127.0.0.1:{}", server.port);
    let page = format!("/{}/", server.token);
    let own = ("Host", host.as_str());
    let (status, head, body) = server.raw("GET", &page, &[own], b"");
    assert_eq!(status, 200);
    assert!(
        body.contains("main.js") && head.to_lowercase().contains("content-security-policy: default-src 'none'"),
        "{head}"
    );
    let refused = [
        ("/", vec![own]),
        ("/00000000000000000000000000000000/", vec![own]),
        (&page, vec![("Host", "evil.example")]),
        (&page, vec![]),
        (&page, vec![own, ("Origin", "http://evil.example")]),
        (&page, vec![own, ("Sec-Fetch-Site", "cross-site")]),
    ];
    for (path, headers) in refused {
        let (status, _, body) = server.raw("GET", path, &headers, b"");
        assert!([403, 400].contains(&status), "{path} {headers:?}: {status} {body}");
        assert!(!body.contains("main.js"), "{path} {headers:?}");
    }
    assert_eq!(server.raw("GET", &format!("{page}nothing.js"), &[own], b"").0, 404);
    assert_eq!(server.raw("GET", &format!("{page}../src/main.rs"), &[own], b"").0, 404);
    assert_eq!(server.raw("POST", &format!("{page}api/games"), &[own, ("Origin", "null")], b"").0, 403);
    for name in ["boards/dice.js", "style.css", "icon.svg"] {
        assert_eq!(server.raw("GET", &format!("{page}{name}"), &[own], b"").0, 200, "{name}");
    }
    // Another address of this machine is not listened on.
    assert!(TcpStream::connect(("127.0.0.2", server.port)).is_err());
}

#[test]
fn positions_of_every_game_are_told() {
    let server = Server::start(&[]);
    let setting = server.ask("GET", "setting", "", b"").1;
    assert_eq!(setting["thesis"].as_array().unwrap().len(), 75);
    for game in setting["games"].as_array().unwrap() {
        let start = json!({ "game": game, "start": "startpos", "seed": 3 });
        let facts = server.post("position", start);
        assert_eq!((&facts["game"], &facts["mover"]), (game, &json!("p1")), "{facts}");
        let chance = facts["kind"] == "chance";
        assert_eq!(facts["chance"].is_string(), chance, "{facts}");
        assert_eq!(facts["moves"].as_array().unwrap().is_empty(), chance, "{facts}");
    }
    let line = json!({ "game": "dice", "start": "startpos 3 3", "plies": ["1:b2"], "roll": "0" });
    let facts = server.post("position", line);
    assert_eq!(facts["moves"], json!(["a1", "a2", "a3"]));
    assert_eq!(facts["line"], "position startpos 3 3 moves 1:b2 roll 0");
    assert_eq!(facts["fen"], "3 3 r 0 - - - - b - - - -");
    let flip = json!({ "game": "darkchess", "start": "startpos", "plies": ["b2"], "seed": 1 });
    let facts = server.post("position", flip);
    assert_eq!((&facts["kind"], facts["rolls"].as_array().unwrap().len()), (&json!("chance"), 14));
    let refused = [
        (json!({ "game": "chess", "start": "startpos" }), "chess"),
        (json!({ "game": "dice", "start": "startpos 99 4" }), "99"),
        (json!({ "game": "dice", "start": "startpos 3 3", "plies": ["0:a2"] }), "a2"),
        (json!({ "game": "dice", "start": "startpos 3 3", "plies": vec!["0:a1"; 6000] }), "5000"),
        (json!({ "game": "dice" }), "start"),
    ];
    for (body, word) in refused {
        assert!(server.refused("position", body.clone()).contains(word), "{word}");
    }
    let pasted =
        server.post("paste", json!({ "text": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "game": "dice" }));
    assert_eq!((&pasted["game"], &pasted["roll"]), (&json!("backgammon"), &json!("31")));
    let way = server.post("steps", json!({ "position": { "game": "backgammon", "start": "startpos", "roll": "31" }, "made": [{"from": 8, "die": 3}, {"from": 6, "die": 1}] }));
    assert_eq!(way["complete"], "8/5,6/5");
    assert!(
        server
            .refused("steps", json!({ "position": { "game": "dice", "start": "startpos", "roll": "1" }, "made": [] }))
            .len()
            > 5
    );
}

/// Whatever bytes come, they are refused and the server goes on.
#[test]
fn odd_requests_do_no_harm() {
    let server = Server::start(&[]);
    let long = vec![b'x'; 2 << 20];
    let bodies: [&[u8]; 7] = [b"", b"{", b"null", b"[]", b"\xff\xfe\x00", b"{\"game\":1}", &long];
    for path in [
        "position",
        "paste",
        "steps",
        "record/write",
        "record/read",
        "games/none/engines/0/send",
        "games/none/engines/x/start",
    ] {
        for body in bodies {
            let (status, answer) = server.ask("POST", path, "application/json", body);
            assert!((400..500).contains(&status), "{path} {:?}: {status} {answer}", &body[..body.len().min(20)]);
        }
    }
    for path in ["folders/0", "folders/99999999999999999999", "games/none/events", "folders/0/0"] {
        assert!((400..500).contains(&server.ask("GET", path, "", b"").0), "{path}");
    }
    assert_eq!(server.ask("GET", "setting", "", b"").0, 200);
}

#[test]
fn games_are_kept_and_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    std::fs::write(&path, "").unwrap();
    let server = Server::start(&["--games", dir.path().to_str().unwrap()]);
    let position =
        json!({ "game": "dice", "start": "startpos 3 3", "plies": ["0:a1", "1:b1", "1:a2"], "roll": "0", "seed": 9 });
    let game = json!({ "position": position, "p1": "Ann", "p2": "alea", "value": [0.5, null, 0.25], "variations": [{"line": 0, "after": 1, "plies": ["0:a2"]}] });
    let (host, address) = (format!("127.0.0.1:{}", server.port), format!("/{}/api/record/write", server.token));
    let headers = [("Host", host.as_str()), ("Content-Type", "application/json")];
    let (status, _, line) = server.raw("POST", &address, &headers, game.to_string().as_bytes());
    assert!(status == 200 && line.ends_with("\"}\n"), "{line}");
    let (status, back) = server.ask("POST", "record/read", "text/plain", line.as_bytes());
    assert_eq!((status, &back["plies"], &back["reason"]), (200, &position["plies"], &json!("unfinished")));
    assert_eq!(back["variations"][0]["plies"], json!(["0:a2"]));
    let (status, answer) = server.ask("POST", "record/read", "text/plain", line.replace("Ann", "Bob").as_bytes());
    assert!(status == 422 && answer["error"].as_str().unwrap().contains("changed"), "{answer}");
    std::fs::write(&path, line.repeat(60)).unwrap();
    assert_eq!(server.ask("GET", "folders", "", b"").1[0]["games"], 60);
    let rows = server.ask("GET", "folders/0?from=50&count=25", "", b"").1;
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["Ok"]["p1"]), (10, &json!("Ann")));
    assert_eq!(server.ask("GET", "folders/0/59", "", b"").1["seed"], 9);
    assert_eq!(server.ask("GET", "folders/0/60", "", b"").0, 404);
}

#[test]
fn engines_play_and_are_ended_with_their_page() {
    let server = Server::start(&["--engine", "alea=alea", "--engine", FRAIL, "--most", "3", "--grace", "1"]);
    let open = || server.post("games", json!({}))["name"].as_str().unwrap().to_string();
    let send = |game: &str, engine: usize, text: &str| {
        let (status, answer) =
            server.ask("POST", &format!("games/{game}/engines/{engine}/send"), "text/plain", text.as_bytes());
        assert_eq!(status, 200, "{answer}");
    };
    let start =
        |game: &str, engine: usize| server.ask("POST", &format!("games/{game}/engines/{engine}/start"), "", b"");
    let game = open();
    let mut events = server.events(&game);
    assert_eq!(events.next(), json!({ "type": "hello", "running": [] }));
    assert_eq!(start(&game, 0).0, 200);
    send(&game, 0, "uci\nposition startpos 3 3 roll 1\ngo depth 99");
    assert_eq!(events.line("bestmove"), "bestmove b2");

    // A page that comes back finds its engine, and the page before it is told.
    let engines = server.wait_for_engines(1);
    let mut again = server.events(&game);
    assert_eq!(again.next(), json!({ "type": "hello", "running": [0] }));
    assert_eq!(events.find(|event| event["type"] != "line"), json!({ "type": "replaced" }));
    drop(events);
    send(&game, 0, "isready");
    assert_eq!(again.line("readyok"), "readyok");
    assert_eq!(server.engines(), engines);

    // An engine that ends says how, with its last words; it can be started again.
    assert_eq!(start(&game, 1).0, 200);
    send(&game, 1, "go");
    let ended = again.find(|event| event["type"] == "ended");
    assert_eq!(ended["reason"], "it exited with code 3; it said: out of luck");
    let (status, answer) = server.ask("POST", &format!("games/{game}/engines/1/send"), "text/plain", b"go");
    assert!(status == 502 && answer["error"].as_str().unwrap().contains("not run"), "{answer}");
    assert_eq!(start(&game, 1).0, 200);

    // Only so many, and only those that were named.
    let other = open();
    let _listening = server.events(&other);
    assert_eq!((start(&other, 0).0, start(&game, 7).0), (200, 404));
    let (status, answer) = start(&other, 1);
    assert!(status == 503 && answer["error"].as_str().unwrap().contains("3 engines"), "{answer}");
    server.wait_for_engines(3);

    // The page goes, its engines go; the other's stay.
    drop(again);
    server.wait_for_engines(1);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn nothing_outlives_the_server() {
    let server = Server::start(&[]);
    let game = server.post("games", json!({}))["name"].as_str().unwrap().to_string();
    let mut events = server.events(&game);
    events.next();
    server.post(&format!("games/{game}/engines/0/start"), Value::Null);
    server.ask("POST", &format!("games/{game}/engines/0/send"), "text/plain", b"go infinite");
    events.line("info depth");
    let engines = server.wait_for_engines(1);
    assert_eq!(server.end(), Some(0));
    crate::server::until("the engine's end", || {
        (!std::path::Path::new(&format!("/proc/{}", engines[0])).exists()).then_some(())
    });
}
