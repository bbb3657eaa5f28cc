//! An algorithm with its options: what is compared.

use alea::search::{Algorithm, ProbeOrder, Settings};

/// An algorithm and those of its options that it heeds; the others stay at their defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The chance-node method.
    pub algorithm: Algorithm,
    /// Moves probed for each outcome, where it probes.
    pub probing: usize,
    /// In which order, where it has one.
    pub order: ProbeOrder,
}

/// Whether an algorithm probes.
fn probes(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Star2 | Algorithm::Star25 | Algorithm::StarEtc)
}

/// Whether an algorithm has an order of probes.
fn has_order(algorithm: Algorithm) -> bool {
    algorithm == Algorithm::Star25
}

impl Variant {
    /// Every combination of options that makes a difference to these algorithms, in the order given.
    pub fn all(algorithms: &[Algorithm], probing: &[usize], orders: &[ProbeOrder]) -> Vec<Variant> {
        let mut variants = Vec::new();
        for &algorithm in algorithms {
            let factors = if probes(algorithm) { probing } else { &[1] };
            let orders = if has_order(algorithm) { orders } else { &[ProbeOrder::Cyclic] };
            for &order in orders {
                for &probing in factors {
                    let variant = Variant { algorithm, probing, order };
                    if !variants.contains(&variant) {
                        variants.push(variant);
                    }
                }
            }
        }
        variants
    }

    /// The options it heeds, as `probing=3 order=cyclic`.
    pub fn options(&self) -> String {
        let probing = probes(self.algorithm).then(|| format!("probing={}", self.probing));
        let order = has_order(self.algorithm).then(|| format!("order={}", self.order.name()));
        [probing, order].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// A short name that tells it from other variants of its algorithm: `Star2.5 (3, cyclic)`.
    pub fn full_name(&self) -> String {
        let name = self.algorithm.name();
        match (probes(self.algorithm), has_order(self.algorithm)) {
            (true, true) => format!("{name} ({}, {})", self.probing, self.order.name()),
            (true, false) => format!("{name} ({})", self.probing),
            _ => name.into(),
        }
    }

    /// The variant that a name and options stand for.
    pub fn parse(name: &str, options: &str) -> Option<Variant> {
        let algorithm = Algorithm::EXACT.into_iter().find(|algorithm| algorithm.name() == name)?;
        let mut variant = Variant { algorithm, probing: 1, order: ProbeOrder::Cyclic };
        for word in options.split_whitespace() {
            match word.split_once('=')? {
                ("probing", factor) => variant.probing = factor.parse().ok().filter(|&factor| factor > 0)?,
                ("order", name) => variant.order = ProbeOrder::ALL.into_iter().find(|order| order.name() == name)?,
                _ => return None,
            }
        }
        (variant.options() == options).then_some(variant)
    }

    /// How to search by it.
    pub fn settings(&self, threads: usize) -> Settings {
        Settings {
            algorithm: self.algorithm,
            probing_factor: self.probing,
            probe_order: self.order,
            threads,
            ..Settings::default()
        }
    }

    /// Where it stands in a table: plainest first.
    pub fn rank(&self) -> (usize, usize, usize) {
        let algorithm = Algorithm::EXACT.into_iter().position(|algorithm| algorithm == self.algorithm);
        let order = ProbeOrder::ALL.into_iter().position(|order| order == self.order);
        (algorithm.unwrap_or_default(), order.unwrap_or_default(), self.probing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_make_no_difference_are_left_out() {
        let variants = Variant::all(
            &[Algorithm::Expectimax, Algorithm::Star2, Algorithm::Star25, Algorithm::Star2],
            &[1, 3],
            &ProbeOrder::ALL,
        );
        let names: Vec<String> =
            variants.iter().map(|v| format!("{} {}", v.algorithm.name(), v.options()).trim().into()).collect();
        assert_eq!(
            names,
            [
                "Expectimax",
                "Star2 probing=1",
                "Star2 probing=3",
                "Star2.5 probing=1 order=cyclic",
                "Star2.5 probing=3 order=cyclic",
                "Star2.5 probing=1 order=sequential",
                "Star2.5 probing=3 order=sequential",
            ]
        );
        for variant in variants {
            assert_eq!(Variant::parse(variant.algorithm.name(), &variant.options()), Some(variant));
        }
    }

    #[test]
    fn nonsense_is_no_variant() {
        let cases = [
            ("Star3", ""),
            ("Star1", "probing=1"),
            ("Star2", ""),
            ("Star2", "probing=0"),
            ("Star2", "probing=x"),
            ("Star2.5", "probing=1 order=random"),
            ("Star2", "probing"),
        ];
        for (name, options) in cases {
            assert_eq!(Variant::parse(name, options), None, "{name} {options}");
        }
    }
}
