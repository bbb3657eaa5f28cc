//! alea-board as its users meet it: the server by its interface, the page in a real browser.

mod browser;
mod interface;
mod page;
mod server;
