//! Training the network of dark chess, as its user meets it: the same frame as Dice has.

mod support;

use support::{Folder, refused, train};

const RUN: &str = "--game darkchess --games 512";
const FILES: [&str; 4] = ["net", "last.net", "csv", "checkpoint"];

#[test]
fn neither_threads_nor_an_interruption_change_a_bit() {
    let folder = Folder::new("darkchess-bits");
    let said = train(&folder, &format!("{RUN} --threads 1 --out whole.net"));
    assert!(said.contains("the best against material ("), "{said}");
    train(&folder, &format!("{RUN} --threads 2 --out parts.net --stop-after 256"));
    assert_ne!(folder.file("parts.last.net"), folder.file("whole.last.net"));
    train(&folder, &format!("{RUN} --threads 2 --out parts.net"));
    for file in FILES {
        assert!(folder.file(&format!("parts.{file}")) == folder.file(&format!("whole.{file}")), "{file}");
    }
    let said = train(&folder, "check whole.last.net --pairs 5");
    assert!(said.starts_with("whole.last.net: a network for darkchess") && said.contains("Against material"), "{said}");
    let said = train(&folder, "check darkchess --pairs 5");
    assert!(said.contains("depth 3 on both sides: "), "{said}");
    let files = folder.files();
    let message = refused(&folder, &format!("{RUN} --shape 5/4 --out whole.net"));
    assert!(message.contains("'--shape': it is for dice only, and the game is darkchess"), "{message}");
    assert!(folder.files() == files);
}
