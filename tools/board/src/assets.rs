//! The page: every file of it is part of the program, so that nothing need be installed or fetched.

/// A file of the page.
pub struct Asset {
    /// Its path below the token.
    pub path: &'static str,
    /// What it is.
    pub mime: &'static str,
    /// Its content.
    pub content: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! assets {
    ($($mime:ident $path:literal),* $(,)?) => {
        &[$(Asset { path: $path, mime: $mime, content: include_str!(concat!("../page/", $path)) }),*]
    };
}

/// All files.
pub const ASSETS: &[Asset] = assets![
    HTML "index.html",
    CSS "style.css",
    SVG "icon.svg",
    SCRIPT "analysis.js",
    SCRIPT "api.js",
    SCRIPT "app.js",
    SCRIPT "boards.js",
    SCRIPT "boards/backgammon.js",
    SCRIPT "boards/cells.js",
    SCRIPT "boards/darkchess.js",
    SCRIPT "boards/dice.js",
    SCRIPT "boards/drag.js",
    SCRIPT "boards/einstein.js",
    SCRIPT "boards/moves.js",
    SCRIPT "clock.js",
    SCRIPT "die.js",
    SCRIPT "dom.js",
    SCRIPT "engine.js",
    SCRIPT "graph.js",
    SCRIPT "heat.js",
    SCRIPT "info.js",
    SCRIPT "keys.js",
    SCRIPT "levels.js",
    SCRIPT "link.js",
    SCRIPT "main.js",
    SCRIPT "newgame.js",
    SCRIPT "panel-analysis.js",
    SCRIPT "panel-engine.js",
    SCRIPT "panel-games.js",
    SCRIPT "panel-log.js",
    SCRIPT "panel-moves.js",
    SCRIPT "panel-positions.js",
    SCRIPT "panel-review.js",
    SCRIPT "panels.js",
    SCRIPT "review.js",
    SCRIPT "setup.js",
    SCRIPT "store.js",
    SCRIPT "table.js",
    SCRIPT "tree.js",
    SCRIPT "types.js",
];

/// The file at a path; the page itself at the empty one.
pub fn find(path: &str) -> Option<&'static Asset> {
    let path = if path.is_empty() { "index.html" } else { path };
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn files(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() { files(&entry.path(), &format!("{name}/"), found) } else { found.push(name) }
        }
    }

    #[test]
    fn every_file_is_served_and_every_import_found() {
        let mut found = Vec::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("page"), "", &mut found);
        for name in &found {
            assert!(find(name).is_some(), "{name} is not in the list");
        }
        assert_eq!(found.len(), ASSETS.len());
        assert_eq!(find("").unwrap().path, "index.html");
        for asset in ASSETS.iter().filter(|asset| asset.mime == SCRIPT) {
            assert!(asset.content.starts_with("// @ts-check\n"), "{} has types to check", asset.path);
            let folder = asset.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            for import in asset.content.split(" from \"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let path = match import.strip_prefix("../") {
                    Some(above) => above.to_string(),
                    None => [folder, import.trim_start_matches("./")].join("/").trim_start_matches('/').to_string(),
                };
                assert!(find(&path).is_some(), "{} imports {import}, which is not there", asset.path);
            }
        }
    }
}
