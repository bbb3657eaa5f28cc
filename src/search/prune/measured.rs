//! What shallow searches predict, game by game, as `alea-suite prune FILE --fit` prints it; tools/suite/RESULTS.md has the commands.

use super::prediction::{Prediction, Predictions};

/// By the name of an evaluation.
pub(super) const MEASURED: &[(&str, Predictions)] = &[
    (
        "5/4",
        Predictions {
            decisions: &[
                (3, fit(0.999, 0.0102, 0.0460)),
                (5, fit(1.002, -0.0122, 0.0316)),
                (7, fit(1.000, 0.0130, 0.0217)),
                (9, fit(1.000, -0.0117, 0.0152)),
                (11, fit(1.000, 0.0109, 0.0114)),
            ],
            chances: &[
                (4, fit(0.997, 0.0102, 0.0344)),
                (6, fit(1.002, -0.0109, 0.0225)),
                (8, fit(0.998, 0.0099, 0.0171)),
                (10, fit(1.002, -0.0098, 0.0117)),
            ],
        },
    ),
    (
        "9/6",
        Predictions {
            decisions: &[
                (3, fit(1.003, 0.0192, 0.0228)),
                (5, fit(1.006, -0.0197, 0.0196)),
                (7, fit(1.007, 0.0196, 0.0158)),
                (9, fit(1.005, -0.0186, 0.0147)),
            ],
            chances: &[
                (4, fit(1.000, 0.0191, 0.0199)),
                (6, fit(1.009, -0.0201, 0.0150)),
                (8, fit(1.001, 0.0183, 0.0151)),
            ],
        },
    ),
    (
        "13/6",
        Predictions {
            decisions: &[
                (3, fit(1.007, 0.0280, 0.0310)),
                (5, fit(1.006, -0.0262, 0.0234)),
                (7, fit(1.011, 0.0271, 0.0208)),
            ],
            chances: &[(4, fit(1.013, 0.0272, 0.0252)), (6, fit(1.001, -0.0259, 0.0214))],
        },
    ),
    (
        "einstein",
        Predictions {
            decisions: &[
                (3, fit(1.000, 0.0071, 0.0744)),
                (5, fit(0.993, -0.0023, 0.0582)),
                (7, fit(1.005, 0.0067, 0.0374)),
                (9, fit(0.995, -0.0062, 0.0279)),
            ],
            chances: &[
                (4, fit(0.994, 0.0090, 0.0524)),
                (6, fit(0.997, 0.0029, 0.0357)),
                (8, fit(0.992, 0.0080, 0.0284)),
            ],
        },
    ),
    (
        "backgammon",
        Predictions {
            decisions: &[(3, fit(0.996, -0.0015, 0.0168)), (5, fit(1.003, 0.0006, 0.0130))],
            chances: &[(4, fit(1.002, 0.0000, 0.0123))],
        },
    ),
    (
        "darkchess",
        Predictions {
            decisions: &[
                (3, fit(1.003, 0.0054, 0.0616)),
                (4, fit(1.006, 0.0038, 0.0420)),
                (5, fit(1.008, 0.0036, 0.0313)),
            ],
            chances: &[(4, fit(1.015, 0.0051, 0.0459)), (5, fit(1.013, 0.0051, 0.0398))],
        },
    ),
];

const fn fit(slope: f64, shift: f64, deviation: f64) -> Prediction {
    Prediction { slope, shift, deviation }
}
