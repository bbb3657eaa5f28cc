//! A real browser: Chromium without a window, driven through ChromeDriver.

use crate::server::{PATIENCE, Server};
use alea_tools::engine::Stop;
use alea_tools::engine::process::{Heard, Process};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Between two looks at the page.
const GLANCE: Duration = Duration::from_millis(15);

/// Where a program is, if it is.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A browser. Dropping it ends it, and all that it started: a driver that is merely killed leaves its windows behind.
pub struct Browser {
    _driver: Process,
    port: u16,
    folder: tempfile::TempDir,
}

impl Browser {
    /// Start one; `None`, and a line that says so, on a machine without.
    pub fn start(test: &str) -> Option<Browser> {
        let (Some(driver), Some(_)) = (program("chromedriver"), program("chromium")) else {
            alea_tools::output::complain(&format!("{test}: left out, for there is no chromium with chromedriver here"));
            return None;
        };
        let command = [driver.display().to_string(), "--port=0".to_string()];
        let mut driver = Process::spawn(&command).expect("the driver starts");
        let (stop, deadline) = (Stop::new().unwrap(), Instant::now() + PATIENCE);
        let port = loop {
            let Heard::Line(line) = driver.line(deadline, &stop).unwrap() else { panic!("the driver tells no port") };
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                break port.trim_end_matches('.').parse().expect("the driver's port");
            }
        };
        Some(Browser { _driver: driver, port, folder: tempfile::tempdir().unwrap() })
    }

    /// Where downloads go.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A window with a page of a server.
    pub async fn page(&self, server: &Server) -> Page {
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
        ];
        let options = json!({
            "args": arguments,
            "binary": program("chromium").unwrap(),
            "prefs": { "download.default_directory": self.folder.path(), "download.prompt_for_download": false },
        });
        let capabilities = json!({ "goog:chromeOptions": options }).as_object().unwrap().clone();
        let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        let client = builder.capabilities(capabilities).connect(&format!("http://127.0.0.1:{}", self.port)).await;
        let page = Page { client: client.expect("a browser") };
        page.client.goto(&server.address).await.unwrap();
        page.find("html[data-ready]").await;
        page
    }
}

/// A page in the browser.
pub struct Page {
    pub client: Client,
}

impl Page {
    /// Wait for an element.
    pub async fn find(&self, css: &str) -> Element {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Ok(element) = self.client.find(Locator::Css(css)).await {
                return element;
            }
            assert!(Instant::now() < deadline, "waited in vain for {css}: {}", self.text("body").await);
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Click on an element, once it is there. The page is drawn anew all the time: what is gone is looked for again.
    pub async fn click(&self, css: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.try_click(css).await {
            assert!(Instant::now() < deadline, "could not click {css}: {}", self.text("body").await);
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Click on an element if it is there; whether it was.
    pub async fn try_click(&self, css: &str) -> bool {
        match self.client.find(Locator::Css(css)).await {
            Ok(element) => element.click().await.is_ok(),
            Err(_) => false,
        }
    }

    /// The text of an element, or nothing.
    pub async fn text(&self, css: &str) -> String {
        let found = self.script(&format!("return document.querySelector({css:?})?.textContent ?? ''")).await;
        found.as_str().unwrap_or_default().to_string()
    }

    /// Wait until an element's text has some words.
    pub async fn reads(&self, css: &str, words: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.text(css).await;
            if text.contains(words) {
                return text;
            }
            assert!(Instant::now() < deadline, "{css} never had {words:?}: {text:?}; {}", self.text("body").await);
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// How many elements there are.
    pub async fn count(&self, css: &str) -> usize {
        let found = self.script(&format!("return document.querySelectorAll({css:?}).length")).await;
        found.as_u64().unwrap_or(0) as usize
    }

    /// Wait until there are at least so many.
    pub async fn at_least(&self, css: &str, count: usize) {
        let deadline = Instant::now() + PATIENCE;
        while self.count(css).await < count {
            assert!(Instant::now() < deadline, "never {count} of {css}: {}", self.text("body").await);
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Run a script.
    pub async fn script(&self, text: &str) -> Value {
        self.client.execute(text, Vec::new()).await.unwrap_or(Value::Null)
    }

    /// Press keys wherever the focus is.
    pub async fn press(&self, keys: &str) {
        let element = self.client.active_element().await.unwrap();
        element.send_keys(keys).await.unwrap();
    }

    /// Fill a field in.
    pub async fn fill(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Choose in a list.
    pub async fn choose(&self, css: &str, value: &str) {
        self.find(css).await.select_by_value(value).await.unwrap();
    }

    /// Drag from the middle of one element to that of another.
    pub async fn drag(&self, from: &str, to: &str) {
        let middle = |css: &str| {
            let script = format!(
                "const box = document.querySelector({css:?}).getBoundingClientRect();
                 return [box.left + box.width / 2, box.top + box.height / 2]"
            );
            async move {
                let place = self.script(&script).await;
                let number = |i: usize| place[i].as_f64().expect("a place");
                (number(0), number(1))
            }
        };
        let (begin, end) = (middle(from).await, middle(to).await);
        let at = |(x, y): (f64, f64)| PointerAction::MoveTo { duration: Some(Duration::from_millis(40)), x, y };
        let halfway = ((begin.0 + end.0) / 2.0, (begin.1 + end.1) / 2.0);
        let mouse = MouseActions::new("mouse".into())
            .then(at(begin))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(at(halfway))
            .then(at(end))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Begin a game against the first engine at its quickest, with the same dice each time.
    pub async fn begin(&self, game: &str, second: &str) {
        self.click("#new").await;
        self.click(&format!("input[name=game][value={game}]")).await;
        self.choose("#p1-who", "person").await;
        self.choose("#p2-who", second).await;
        if second != "person" {
            self.choose("#p2-level", "Club").await;
        }
        self.fill("#seed", "7").await;
        self.click("#begin").await;
        self.find("dialog:not([open])").await;
    }

    /// Play on by clicks until the game is over, or for so many clicks; how it ended.
    pub async fn play(&self, clicks: usize) -> Option<String> {
        let choose = "const all = (css) => [...document.querySelectorAll('#board ' + css)];
            if (document.querySelector('#outcome')) return 'over';
            for (const css of ['#confirm:not(:disabled)', '#pass']) if (document.querySelector(css)) return css;
            const found = [...all('.target'), ...(document.querySelector('#board .selected') ? [] : all('.source'))];
            if (found.length === 0) return null;
            const one = found[(arguments[0] * 7) % found.length];
            const key = one.getAttribute('data-key');
            return `#board [data-key=\"${key}\"]`;";
        let deadline = Instant::now() + 2 * PATIENCE;
        let mut clicked = 0;
        while clicked < clicks {
            assert!(Instant::now() < deadline, "the game does not go on: {}", self.text("body").await);
            let found = self.client.execute(choose, vec![json!(clicked)]).await.unwrap_or(Value::Null);
            match found.as_str() {
                Some("over") => return Some(self.text("#outcome").await),
                Some(css) if self.try_click(css).await => clicked += 1,
                _ => tokio::time::sleep(GLANCE).await,
            }
        }
        None
    }
}
