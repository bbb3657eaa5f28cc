//! A table, written three ways: for people at a terminal, for a README, and for programs.

/// One cell: what a program reads exactly, a person reads rounded.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number of things; large ones as `3.58e6`.
    Count(f64),
    /// Milliseconds.
    Millis(f64),
    /// One number over another.
    Ratio(f64),
    /// A part of one, shown in per cent.
    Share(f64),
    /// A value in [−1, 1], or a change of one.
    Value(f64),
    /// How far values lie apart.
    Error(f64),
    /// Nothing is known.
    Missing,
}

impl Cell {
    /// The cell, or a missing one.
    pub fn maybe(number: Option<f64>, kind: fn(f64) -> Cell) -> Cell {
        number.filter(|number| number.is_finite()).map_or(Cell::Missing, kind)
    }

    /// For people.
    fn shown(&self) -> String {
        match *self {
            Cell::Text(ref text) => text.clone(),
            Cell::Count(number) if number < 1e5 => format!("{number:.0}"),
            Cell::Millis(number) if number < 10.0 => format!("{number:.2}"),
            Cell::Millis(number) if number < 1e3 => format!("{number:.1}"),
            Cell::Millis(number) if number < 1e5 => format!("{number:.0}"),
            Cell::Count(number) | Cell::Millis(number) => format!("{number:.2e}"),
            Cell::Ratio(number) => format!("{number:.2}"),
            Cell::Share(share) => format!("{:.1} %", 100.0 * share),
            Cell::Value(value) => format!("{value:+.4}"),
            Cell::Error(error) => format!("{error:.4}"),
            Cell::Missing => "-".into(),
        }
    }

    /// For programs.
    fn exact(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(number) | Cell::Millis(number) | Cell::Ratio(number) => number.to_string(),
            Cell::Share(number) | Cell::Value(number) | Cell::Error(number) => number.to_string(),
            Cell::Missing => String::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

/// A table with a title, and a remark below it where there is something to say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The name of its CSV file, without the ending.
    pub file: &'static str,
    /// What it shows.
    pub title: String,
    /// How to read it, or nothing.
    pub remark: String,
    /// Names of the columns.
    pub header: Vec<String>,
    /// The cells, as many in each row as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The same table with a name and a title.
    pub fn titled(self, file: &'static str, title: String) -> Table {
        Table { file, title, ..self }
    }

    /// The same table with a remark.
    pub fn remarked(self, remark: &str) -> Table {
        Table { remark: remark.into(), ..self }
    }

    /// For a terminal: columns aligned, words to the left, numbers to the right.
    pub fn text(&self) -> String {
        let cells: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
        let width = |column: usize| {
            let longest = cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
            longest.unwrap_or(0).max(self.header[column].chars().count())
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let line = |cells: &[String]| {
            let pad = |(column, cell): (usize, &String)| {
                let width = widths.get(column).copied().unwrap_or(0);
                if self.is_words(column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            };
            cells.iter().enumerate().map(pad).collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
        };
        let body: String = cells.iter().map(|row| line(row)).collect();
        let remark = if self.remark.is_empty() { String::new() } else { format!("{}\n", self.remark) };
        format!("{}\n\n{}{body}{remark}", self.title, line(&self.header))
    }

    /// For a README.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = (0..self.header.len()).map(|column| if self.is_words(column) { "---|" } else { "---:|" });
        let body: String = self.rows.iter().map(|row| line(&row.iter().map(Cell::shown).collect::<Vec<_>>())).collect();
        let remark = if self.remark.is_empty() { String::new() } else { format!("\n{}\n", self.remark) };
        format!("**{}**\n\n{}|{}\n{body}{remark}", self.title, line(&self.header), rule.collect::<String>())
    }

    /// Its CSV file: the header, then the rows.
    pub fn csv(&self) -> String {
        let header = self.header.iter().map(|name| csv_field(name)).collect::<Vec<_>>();
        let rows = self.rows.iter().map(|row| row.iter().map(|cell| csv_field(&cell.exact())).collect::<Vec<_>>());
        std::iter::once(header).chain(rows).map(|fields| fields.join(",") + "\n").collect()
    }

    fn is_words(&self, column: usize) -> bool {
        self.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Text(_))))
    }
}

/// A field as RFC 4180 has it.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_for_people_only() {
        let cases = [
            (Cell::Count(5813.0), "5813", "5813"),
            (Cell::Count(3_580_123.0), "3.58e6", "3580123"),
            (Cell::Millis(1.2345), "1.23", "1.2345"),
            (Cell::Millis(56_234.0), "56234", "56234"),
            (Cell::Ratio(0.6349), "0.63", "0.6349"),
            (Cell::Share(0.6892), "68.9 %", "0.6892"),
            (Cell::Value(-0.01234567), "-0.0123", "-0.01234567"),
            (Cell::maybe(Some(f64::NAN), Cell::Ratio), "-", ""),
        ];
        for (cell, shown, exact) in cases {
            assert_eq!((cell.shown().as_str(), cell.exact().as_str()), (shown, exact));
        }
    }

    #[test]
    fn one_table_three_ways() {
        let table = Table {
            file: "x",
            title: "Two".into(),
            remark: "So it is.".into(),
            header: vec!["who".into(), "n".into()],
            rows: vec![vec!["a".into(), Cell::Count(12.0)], vec!["bcde".into(), Cell::Missing]],
        };
        assert_eq!(table.text(), "Two\n\nwho    n\na     12\nbcde   -\nSo it is.\n");
        assert_eq!(table.markdown(), "**Two**\n\n| who | n |\n|---|---:|\n| a | 12 |\n| bcde | - |\n\nSo it is.\n");
        assert_eq!(table.csv(), "who,n\na,12\nbcde,\n");
    }

    #[test]
    fn fields_with_commas_are_quoted() {
        for (text, field) in [("65 %, its best", "\"65 %, its best\""), ("a \"b\"", "\"a \"\"b\"\"\""), ("c", "c")] {
            assert_eq!(csv_field(text), field);
        }
    }
}
