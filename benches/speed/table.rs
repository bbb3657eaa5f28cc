//! Tables for people: a title, aligned columns, a remark.

/// A table; its first column holds names, the others numbers.
pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with nothing but a title and names of columns, which may all be empty.
    pub fn new<const N: usize>(title: impl Into<String>, header: [&str; N]) -> Table {
        let named = header.iter().any(|name| !name.is_empty());
        Table { title: title.into(), rows: if named { vec![header.map(String::from).to_vec()] } else { Vec::new() } }
    }

    /// Add a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table as text, with a remark below if there is one.
    pub fn text(&self, remark: &str) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let wide = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(wide).collect();
        let line = |row: &Vec<String>| {
            let cell = |(column, cell): (usize, &String)| match (column, widths[column]) {
                (0, width) => format!("{cell:<width$}"),
                (_, width) => format!("{cell:>width$}"),
            };
            format!("  {}\n", row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end())
        };
        let body: String = self.rows.iter().map(line).collect();
        let remark = if remark.is_empty() { String::new() } else { format!("  {}\n", remark.replace('\n', "\n  ")) };
        format!("\n{}\n{body}{remark}", self.title)
    }
}
