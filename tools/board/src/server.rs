//! The server: files of the page, positions, games that are kept, and engines. Listens on 127.0.0.1 alone; every request passes
//! the [`Guard`] first.

use crate::assets;
use crate::error::Refusal;
use crate::folders::{Folder, FolderRow};
use crate::guard::Guard;
use crate::kept;
use crate::paste;
use crate::positions::{Asked, Facts};
use crate::sessions::{Listening, Sessions};
use crate::steps::{Made, UnderWay, under_way};
use alea_tools::records::GameRecord;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// No request is longer: a record is, at most, a megabyte.
const MAX_BODY: usize = (1 << 20) + 1024;

/// How often a stream shows that it is alive: a page that is gone is noticed by then.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);

/// Events that go out together.
const TOGETHER: usize = 512;

/// The positions of the 2006 thesis, as the suite has them.
const THESIS: &str = include_str!("../../suite/thesis-5x5.dpn");

/// Nothing but what this server sends may run, and nobody may look in.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// All that requests share.
pub struct Server {
    /// Who may ask.
    pub guard: Guard,
    /// The games of pages.
    pub sessions: Arc<Sessions>,
    /// Tournaments to look at.
    pub folders: Vec<Folder>,
}

type Shared = State<Arc<Server>>;
type Answer<T> = Result<Json<T>, Refusal>;

/// The routes.
pub fn router(server: Arc<Server>) -> Router {
    Router::new()
        .route("/{token}/", get(page))
        .route("/{token}/{*path}", get(file))
        .route("/{token}/api/setting", get(setting))
        .route("/{token}/api/position", post(position))
        .route("/{token}/api/paste", post(pasted))
        .route("/{token}/api/steps", post(steps))
        .route("/{token}/api/record/write", post(write_record))
        .route("/{token}/api/record/read", post(read_record))
        .route("/{token}/api/folders", get(folders))
        .route("/{token}/api/folders/{folder}", get(games))
        .route("/{token}/api/folders/{folder}/{place}", get(game))
        .route("/{token}/api/games", post(open_game))
        .route("/{token}/api/games/{name}/events", get(events))
        .route("/{token}/api/games/{name}/engines/{engine}/start", post(start_engine))
        .route("/{token}/api/games/{name}/engines/{engine}/end", post(end_engine))
        .route("/{token}/api/games/{name}/engines/{engine}/send", post(send))
        .fallback(|| async { Refusal::Missing("page") })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(server.clone(), guarded))
        .with_state(server)
}

/// Let in who may, and tell the browser to be careful.
async fn guarded(State(server): Shared, request: Request, next: Next) -> Response {
    let mut response = match server.guard.check(request.uri().path(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::CACHE_CONTROL, "no-store");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

async fn page() -> Result<Response, Refusal> {
    served("")
}

async fn file(Path((_, path)): Path<(String, String)>) -> Result<Response, Refusal> {
    served(&path)
}

fn served(path: &str) -> Result<Response, Refusal> {
    let asset = assets::find(path).ok_or(Refusal::Missing("file"))?;
    Ok(([(header::CONTENT_TYPE, asset.mime)], asset.content).into_response())
}

/// What a page needs to know once.
#[derive(Serialize)]
struct Setting {
    version: &'static str,
    games: &'static [&'static str],
    engines: Vec<EngineRow>,
    thesis: Vec<&'static str>,
}

/// An engine, for a list.
#[derive(Serialize)]
struct EngineRow {
    name: String,
    command: String,
}

async fn setting(State(server): Shared) -> Json<Setting> {
    let row =
        |spec: &crate::sessions::EngineSpec| EngineRow { name: spec.name.clone(), command: spec.command.join(" ") };
    Json(Setting {
        version: env!("CARGO_PKG_VERSION"),
        games: alea::games::NAMES,
        engines: server.sessions.engines().iter().map(row).collect(),
        thesis: THESIS.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect(),
    })
}

async fn position(Json(asked): Json<Asked>) -> Answer<Facts> {
    Ok(Json(Facts::of(&asked.board()?, asked.seed)))
}

#[derive(Deserialize)]
struct Pasted {
    text: String,
    game: String,
}

async fn pasted(Json(pasted): Json<Pasted>) -> Answer<Facts> {
    Ok(Json(Facts::of(&paste::read(&pasted.text, &pasted.game)?, None)))
}

#[derive(Deserialize)]
struct Stepped {
    position: Asked,
    made: Vec<Made>,
}

async fn steps(Json(stepped): Json<Stepped>) -> Answer<UnderWay> {
    Ok(Json(under_way(&stepped.position.board()?, &stepped.made)?))
}

async fn write_record(Json(game): Json<kept::Game>) -> Result<Vec<u8>, Refusal> {
    kept::write(game)
}

async fn read_record(line: Bytes) -> Answer<GameRecord> {
    kept::read(&line).map(Json)
}

/// Do what may take a while, where it holds nobody up.
async fn aside<T: Send + 'static>(what: impl FnOnce() -> Result<T, Refusal> + Send + 'static) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(what).await;
    done.map_err(|error| Refusal::File(std::io::Error::other(error)))?
}

async fn folders(State(server): Shared) -> Answer<Vec<FolderRow>> {
    aside(move || server.folders.iter().map(Folder::row).collect::<Result<_, _>>()).await.map(Json)
}

#[derive(Deserialize)]
struct Rows {
    #[serde(default)]
    from: usize,
    #[serde(default)]
    count: usize,
}

async fn games(
    State(server): Shared,
    Path((_, folder)): Path<(String, usize)>,
    Query(rows): Query<Rows>,
) -> Result<Response, Refusal> {
    let found = aside(move || {
        let folder = server.folders.get(folder).ok_or(Refusal::Missing("folder"))?;
        folder.rows(rows.from, rows.count)
    });
    Ok(Json(found.await?).into_response())
}

async fn game(State(server): Shared, Path((_, folder, place)): Path<(String, usize, usize)>) -> Answer<GameRecord> {
    aside(move || server.folders.get(folder).ok_or(Refusal::Missing("folder"))?.game(place)).await.map(Json)
}

#[derive(Serialize)]
struct Opened {
    name: String,
}

async fn open_game(State(server): Shared) -> Answer<Opened> {
    server.sessions.open().map(|name| Json(Opened { name }))
}

async fn events(
    State(server): Shared,
    Path((_, name)): Path<(String, String)>,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, Refusal> {
    let listening = server.sessions.listen(&name)?;
    let stream = stream::unfold(listening, |mut listening: Listening| async move {
        let events = listening.next(TOGETHER).await;
        if events.is_empty() {
            return None;
        }
        // Events are plain data: they can be written.
        let event = sse::Event::default().json_data(&events).unwrap_or_default();
        Some((Ok(event), listening))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)))
}

#[derive(Serialize)]
struct Started {
    serial: u64,
}

async fn start_engine(
    State(server): Shared,
    Path((_, name, engine)): Path<(String, String, usize)>,
) -> Answer<Started> {
    aside(move || server.sessions.start(&name, engine)).await.map(|serial| Json(Started { serial }))
}

async fn end_engine(State(server): Shared, Path((_, name, engine)): Path<(String, String, usize)>) -> Answer<()> {
    server.sessions.end(&name, engine).map(Json)
}

async fn send(
    State(server): Shared,
    Path((_, name, engine)): Path<(String, String, usize)>,
    text: String,
) -> Answer<()> {
    aside(move || server.sessions.send(&name, engine, &text)).await.map(Json)
}
