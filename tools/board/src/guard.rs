//! Who may ask: only pages that this server sent, by an address that only its user knows.

use crate::error::Refusal;
use axum::http::{HeaderMap, header};
use rand::TryRng;
use rand::rngs::SysRng;

/// Random bytes in a word: more than can be guessed.
const BYTES: usize = 16;

/// A word that nobody can guess.
pub fn random_word() -> String {
    let mut bytes = [0; BYTES];
    // A system without random numbers runs no browser either.
    SysRng.try_fill_bytes(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a request must bring.
pub struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    /// A guard with a new token.
    pub fn new(port: u16) -> Guard {
        Guard { token: random_word(), port }
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Refuse what is not from a page of ours: a name that leads here by a trick of DNS has another `Host`, a page of
    /// somebody else's another `Origin`.
    pub fn check(&self, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or(""));
        if !text(header::HOST).is_some_and(|host| hosts.iter().any(|own| own == host)) {
            return Err(Refusal::Stranger("Host"));
        }
        let own = |origin: &str| hosts.iter().any(|host| origin.strip_prefix("http://") == Some(host));
        if text(header::ORIGIN).is_some_and(|origin| !own(origin)) {
            return Err(Refusal::Stranger("Origin"));
        }
        let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or(""));
        if site.is_some_and(|site| !["same-origin", "none"].contains(&site)) {
            return Err(Refusal::Stranger("Sec-Fetch-Site"));
        }
        let word = path.strip_prefix('/').and_then(|path| path.split('/').next()).unwrap_or("");
        // In a time that does not tell how much of it is right.
        let differs = word.bytes().zip(self.token.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        if word.len() != self.token.len() || differs != 0 {
            return Err(Refusal::Token);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_ours_pass() {
        let guard = Guard { token: "0123".into(), port: 8000 };
        let headers = |pairs: &[(&'static str, &'static str)]| {
            pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect::<HeaderMap>()
        };
        let ours = ("host", "127.0.0.1:8000");
        type Case<'a> = (&'a str, &'a [(&'static str, &'static str)], Option<&'a str>);
        let cases: [Case; 12] = [
            ("/0123/", &[ours], None),
            ("/0123/x", &[("host", "localhost:8000"), ("origin", "http://localhost:8000")], None),
            ("/0123/", &[ours, ("sec-fetch-site", "none")], None),
            ("/0123/", &[], Some("Host")),
            ("/0123/", &[("host", "evil.example:8000")], Some("Host")),
            ("/0123/", &[("host", "127.0.0.1:8001")], Some("Host")),
            ("/0123/", &[ours, ("origin", "http://evil.example")], Some("Origin")),
            ("/0123/", &[ours, ("origin", "null")], Some("Origin")),
            ("/0123/", &[ours, ("sec-fetch-site", "cross-site")], Some("Sec-Fetch-Site")),
            ("/", &[ours], Some("token")),
            ("/012/", &[ours], Some("token")),
            ("/0124/", &[ours], Some("token")),
        ];
        for (path, pairs, word) in cases {
            let told = guard.check(path, &headers(pairs)).err().map(|error| error.to_string());
            match word {
                None => assert_eq!(told, None, "{path} {pairs:?}"),
                Some(word) => {
                    assert!(told.as_ref().is_some_and(|told| told.contains(word)), "{path} {pairs:?}: {told:?}")
                }
            }
        }
    }

    #[test]
    fn words_differ() {
        assert_ne!(random_word(), random_word());
        assert_eq!(random_word().len(), 2 * BYTES);
    }
}
