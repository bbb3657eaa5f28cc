//! The arithmetic and the tables of `cargo bench`, which has no test harness of its own.

#[path = "../benches/speed/numbers.rs"]
mod numbers;
#[path = "../benches/speed/table.rs"]
mod table;

use numbers::{Spread, figure, per_cent};
use table::Table;

#[test]
fn the_median_is_in_the_middle_and_the_spread_leaves_out_the_tails() {
    let hundred: Vec<f64> = (0..101).map(f64::from).collect();
    let cases = [
        (vec![], (0.0, 0.0, 0.0)),
        (vec![3.0], (3.0, 3.0, 3.0)),
        (vec![4.0, 1.0], (2.5, 1.0, 4.0)),
        (vec![9.0, 1.0, 2.0], (2.0, 1.0, 9.0)),
        (hundred, (50.0, 5.0, 95.0)),
    ];
    for (measured, expected) in cases {
        let spread = Spread::of(measured.clone());
        assert_eq!((spread.median, spread.low, spread.high), expected, "{measured:?}");
    }
}

#[test]
fn long_times_are_low_rates() {
    let rate = Spread::of([2.0, 4.0, 8.0]).rate(16.0);
    assert_eq!((rate.median, rate.low, rate.high), (4.0, 2.0, 8.0));
    let sum = Spread::sum([Spread::of([1.0, 2.0, 3.0]), Spread::of([10.0]).times(2.0)]);
    assert_eq!((sum.median, sum.low, sum.high), (22.0, 21.0, 23.0));
    assert_eq!(sum.cells(), ["22.0", "21.0-23.0"]);
    assert_eq!(Spread::of([5.0]).cells(), ["5.00", "-"], "one measurement has no spread");
}

#[test]
fn figures_have_three_digits() {
    let cases =
        [(0.0, "0"), (0.00768, "0.0077"), (0.1234, "0.123"), (1.733, "1.73"), (95.83, "95.8"), (12345.6, "12346")];
    for (number, shown) in cases {
        assert_eq!(figure(number), shown);
    }
    assert_eq!(figure(-0.688), "-0.688");
    assert_eq!(per_cent(0.8604), "86.0 %");
}

#[test]
fn columns_are_aligned() {
    let mut table = Table::new("Title", ["", "n", "m"]);
    table.row(["one".to_string(), "1".into(), "20".into()]);
    table.row(["seven".to_string(), "7".into()]);
    assert_eq!(
        table.text("a remark\nof two lines"),
        "\nTitle\n         n   m\n  one    1  20\n  seven  7\n  a remark\n  of two lines\n"
    );
    assert_eq!(Table::new("Bare", ["", ""]).text(""), "\nBare\n");
}
