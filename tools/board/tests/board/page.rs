//! The page in a real browser, by clicks and keys.

use crate::browser::{Browser, Page};
use crate::server::{FRAIL, Server, until};

/// More clicks than a game takes.
const MANY: usize = 3000;

async fn whole_game(test: &str, game: &str, second: &str) {
    let Some(browser) = Browser::start(test) else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.begin(game, second).await;
    let ending = page.play(MANY).await.expect("the game ends");
    assert!(ending.contains("wins") || ending.contains("Draw"), "{ending}");
    assert!(page.count("#moves .move").await > 5);
    assert_eq!(page.text("#message").await, "");
}

#[tokio::test]
async fn a_whole_game_of_dice_by_clicks() {
    whole_game("a whole game of Dice", "dice", "0").await;
}

#[tokio::test]
async fn a_whole_game_of_einstein_by_clicks() {
    whole_game("a whole game of EinStein", "einstein", "0").await;
}

#[tokio::test]
async fn a_whole_game_of_dark_chess_by_clicks() {
    whole_game("a whole game of dark chess", "darkchess", "0").await;
}

#[tokio::test]
async fn a_whole_game_of_backgammon_by_clicks() {
    whole_game("a whole game of backgammon", "backgammon", "0").await;
}

/// What the engine says, on the board and beside it; then the whole game judged.
#[tokio::test]
async fn analysis_of_a_position_and_of_a_game() {
    let Some(browser) = Browser::start("analysis") else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.begin("dice", "0").await;
    page.click("#tab-analysis").await;
    page.click("#analyse").await;
    page.at_least("#board .warmth", 5).await;
    page.at_least("#values tbody tr", 5).await;
    page.find("#board .expected .step1").await;
    page.reads("#numbers", "Depth").await;
    page.click("#ask-rolls").await;
    page.at_least("#rolls tbody tr", 5).await;
    page.click("#analyse").await;
    page.play(MANY).await.expect("the game ends");
    page.click("#tab-review").await;
    page.fill("#review-depth", "1").await;
    page.click("#review").await;
    page.at_least("#sums tbody tr", 2).await;
    page.find("#review").await;
    let judged = page.count("#plies tbody tr").await;
    page.click("#tab-moves").await;
    page.find("#moves").await;
    assert_eq!(judged, page.count("#moves .move").await, "every ply is judged");
    page.find(".graph .curve[d^=M]").await;
}

/// Take back, a variation, save, load.
#[tokio::test]
async fn games_are_saved_and_loaded_with_their_variations() {
    let Some(browser) = Browser::start("save and load") else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.begin("dice", "person").await;
    for ply in 1..=4 {
        page.click("#board .target").await;
        page.at_least("#moves .move", ply).await;
    }
    page.click("#takeback").await;
    page.find("#moves .move[aria-current]:not([data-node='4'])").await;
    page.click("#board .target:nth-last-child(1 of .target)").await;
    page.find("#moves .variation").await;
    page.click("#tab-games").await;
    page.click("#save").await;
    let file = until("the saved game", || {
        let entries = std::fs::read_dir(browser.folder()).unwrap().flatten().map(|entry| entry.path());
        entries.into_iter().find(|path| path.extension().is_some_and(|end| end == "jsonl"))
    });
    page.begin("einstein", "person").await;
    page.reads("#title", "EinStein").await;
    page.find("#load-file").await.send_keys(file.to_str().unwrap()).await.unwrap();
    page.reads("#title", "Dice").await;
    page.click("#tab-moves").await;
    page.at_least("#moves .move", 5).await;
    assert_eq!(page.count("#moves .variation").await, 1);
    // The tournament's own tool reads what was kept.
    let line = std::fs::read(&file).unwrap();
    let record = alea_tools::records::GameRecord::from_line(line.strip_suffix(b"\n").unwrap()).unwrap();
    assert_eq!((record.plies.len(), record.variations.len()), (4, 1));
}

#[tokio::test]
async fn an_engine_that_is_lost_is_told_of_and_started_again() {
    let Some(browser) = Browser::start("a lost engine") else { return };
    let server = Server::start(&["--engine", "alea=alea", "--engine", FRAIL]);
    let page = browser.page(&server).await;
    page.begin("dice", "1").await;
    page.click("#board .target").await;
    page.reads("#message", "exited with code 3; it said: out of luck").await;
    page.click("#again").await;
    page.reads("#message", "exited with code 3").await;
    // The game is not lost: another can be begun, and this one taken back.
    page.click("#takeback").await;
    page.find("#board .target").await;
}

#[tokio::test]
async fn a_reload_in_mid_game_goes_on_with_the_same_engine() {
    let Some(browser) = Browser::start("a reload") else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.begin("einstein", "0").await;
    page.click("#board .source").await;
    page.click("#board .target").await;
    page.at_least("#moves .move", 2).await;
    page.find("#board .source").await;
    let (moves, title) = (page.text("#moves").await, page.text("#title").await);
    let engines = server.wait_for_engines(1);
    page.client.refresh().await.unwrap();
    page.find("html[data-ready]").await;
    page.find("#board .source").await;
    assert_eq!((page.text("#moves").await, page.text("#title").await), (moves, title));
    let ending = page.play(MANY).await.expect("the game goes on");
    assert!(ending.contains("wins"), "{ending}");
    assert_eq!(server.engines(), engines);
}

#[tokio::test]
async fn two_pages_play_games_of_their_own() {
    let Some(browser) = Browser::start("two pages") else { return };
    let server = Server::start(&["--grace", "1"]);
    let (one, other) = (browser.page(&server).await, browser.page(&server).await);
    one.begin("dice", "0").await;
    other.begin("einstein", "0").await;
    one.play(1).await;
    one.at_least("#moves .move", 2).await;
    assert_eq!(other.count("#moves .move").await, 0);
    // A cube, then where it goes; a click that comes as the page is drawn anew may choose nothing.
    while other.count("#moves .move").await < 2 {
        other.play(1).await;
    }
    assert_eq!((one.text("#title").await.as_str(), other.text("#title").await.as_str()), ("Dice 5/4", "EinStein"));
    server.wait_for_engines(2);
    // A page that is closed takes its engine with it.
    one.client.close().await.unwrap();
    server.wait_for_engines(1);
    other.play(2).await;
}

/// Positions by text, from the suite, and by hand, with what is illegal told.
#[tokio::test]
async fn positions_are_set_up() {
    let Some(browser) = Browser::start("positions") else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.begin("dice", "person").await;
    page.click("#tab-positions").await;
    page.click("#suite li:nth-child(3) button").await;
    page.reads("#title", "Dice").await;
    let dpn = page.script("return document.querySelector('#suite li:nth-child(3)').textContent").await;
    let shown = "return document.querySelector('#notation-fen').value";
    until_shown(&page, shown, dpn.as_str().unwrap()).await;
    page.fill("#paste", "XGID=nonsense").await;
    page.click("#set-up").await;
    page.reads("#paste-wrong", "nonsense").await;
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    page.fill("#paste", xgid).await;
    page.click("#set-up").await;
    page.reads("#title", "Backgammon").await;
    until_shown(&page, shown, xgid).await;
    page.begin("dice", "person").await;
    page.click("#by-hand").await;
    page.click(".edited [data-cell=b2]").await;
    page.reads("#setup-wrong", "Legal").await;
    page.click(".edited [data-cell=c3]").await;
    page.reads("#setup-wrong", "expected").await;
    page.click(".palette [data-put=r]").await;
    page.click(".edited [data-cell=c4]").await;
    page.reads("#setup-wrong", "Legal").await;
    page.click("#setup-use").await;
    page.find("dialog:not([open])").await;
    page.at_least("#board .cell .piece", 3).await;
}

async fn until_shown(page: &Page, script: &str, text: &str) {
    let deadline = std::time::Instant::now() + crate::server::PATIENCE;
    while page.script(script).await.as_str() != Some(text) {
        assert!(std::time::Instant::now() < deadline, "never {text}: {}", page.script(script).await);
        tokio::task::yield_now().await;
    }
}

/// No mouse: keys begin a game, walk over the board, play, take back and look around.
#[tokio::test]
async fn keys_alone_suffice() {
    let Some(browser) = Browser::start("keys") else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.begin("dice", "person").await;
    page.find("#board .target").await;
    page.script("document.activeElement.blur(); document.querySelector('#board [tabindex=\"0\"]').focus()").await;
    for _ in 0..5 {
        if page.script("return document.activeElement.classList.contains('target')").await == true {
            break;
        }
        page.press("\u{e015}").await;
    }
    page.press("\u{e007}").await;
    page.at_least("#moves .move", 1).await;
    page.script("document.activeElement.blur()").await;
    page.press("u").await;
    page.find("#back:disabled").await;
    page.press("\u{e014}").await;
    page.find("#back:not(:disabled)").await;
    page.press("?").await;
    page.find("dialog[open] .keys").await;
}

/// Two engines play each other; a person sets the die; a clock runs out.
#[tokio::test]
async fn engines_alone_dice_by_hand_and_clocks() {
    let Some(browser) = Browser::start("two engines") else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.click("#new").await;
    page.choose("#p1-who", "0").await;
    page.choose("#p1-level", "Casual").await;
    page.choose("#p2-who", "0").await;
    page.choose("#p2-level", "Club").await;
    page.click("#begin").await;
    page.find("#outcome").await;
    assert_eq!(server.engines().len(), 1, "one process plays both sides");
    page.click("#new").await;
    page.choose("#p1-who", "person").await;
    page.choose("#p2-who", "person").await;
    page.choose("#dice-mode", "hand").await;
    page.fill("#minutes", "0.05").await;
    page.click("#begin").await;
    page.click("#controls [data-face='3']").await;
    page.at_least("#board .target", 5).await;
    assert_eq!(page.count("#board .target[data-cell$='4']").await, 5, "row 4 was set");
    page.reads("#outcome", "ran out of time").await;
}

/// A piece is dragged, in EinStein and in backgammon, where the step can be undone before the move is confirmed.
#[tokio::test]
async fn pieces_are_dragged_and_steps_undone() {
    let Some(browser) = Browser::start("dragging") else { return };
    let server = Server::start(&[]);
    let page = browser.page(&server).await;
    page.begin("einstein", "person").await;
    page.find("#board .source").await;
    // Seed 7 rolls something that moves a cube of blue's: the first that can.
    let cell = page.script("return document.querySelector('#board .source').getAttribute('data-cell')").await;
    let cell = cell.as_str().unwrap().as_bytes();
    let to = format!("#board [data-cell={}{}]", char::from(cell[0] + 1), char::from(cell[1]));
    page.drag("#board .source", &to).await;
    page.at_least("#moves .move", 1).await;
    page.begin("backgammon", "person").await;
    page.click("#board .source").await;
    page.click("#board .target").await;
    page.click("#undo:not(:disabled)").await;
    page.find("#undo:disabled").await;
    page.play(20).await;
    page.at_least("#moves .move", 1).await;
}

/// A tournament's folder is paged through, and a game of it looked at.
#[tokio::test]
async fn a_tournament_is_paged_through() {
    let Some(browser) = Browser::start("a tournament") else { return };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    std::fs::write(&path, "").unwrap();
    let server = Server::start(&["--games", dir.path().to_str().unwrap()]);
    let position = serde_json::json!({ "game": "dice", "start": "startpos 3 3", "plies": ["0:a1", "1:b1", "1:a2"] });
    let game = serde_json::json!({ "position": position, "p1": "Ann", "p2": "Bob" });
    let (host, address) = (format!("127.0.0.1:{}", server.port), format!("/{}/api/record/write", server.token));
    let headers = [("Host", host.as_str()), ("Content-Type", "application/json")];
    let (_, _, line) = server.raw("POST", &address, &headers, game.to_string().as_bytes());
    std::fs::write(&path, line.repeat(30)).unwrap();
    let page = browser.page(&server).await;
    page.click("#tab-games").await;
    page.reads("#folders", "30 games").await;
    page.click("#folders [data-source]").await;
    page.at_least("#games li", 25).await;
    page.click("#later").await;
    page.reads("#folders", "26–30 of 30").await;
    page.click("#games [data-game='29']").await;
    page.reads("#title", "Dice 3/3").await;
    page.reads("#message", "Ann – Bob").await;
    page.click("#tab-moves").await;
    page.at_least("#moves .move", 3).await;
    page.click("#last").await;
    page.at_least("#board .cell .piece", 3).await;
}
