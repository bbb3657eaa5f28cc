//! Dice is searched on the narrowest bitboards that hold the board.

use super::limits::{Limits, Settings, Stop};
use super::perfect::Perfect;
use super::report::{Report, Verdict};
use super::searched::Searched;
use super::searcher::Searcher;
use crate::eval::Evaluator;
use crate::eval::dice::DiceEvaluator;
use crate::game::dice::{Board, Move, Position, Wide};
use crate::with_width;

impl Searcher {
    /// Search a position of Dice, telling `handler` how it goes. Moves are those of [`Position`].
    pub fn search_dice<E>(
        &mut self,
        position: &Position,
        evaluator: &E,
        settings: &Settings,
        limits: &Limits<Move>,
        stop: &Stop,
        handler: &mut dyn FnMut(Report<Move>),
    ) -> Verdict<Move>
    where
        E: Evaluator<Board<u32>> + Evaluator<Board<u64>> + Evaluator<Board<u128>> + Evaluator<Board<Wide>>,
    {
        with_width!(position.shape(), B => {
            let board = position.to_width::<B>();
            let limits = limits.map(|&mv| board.cell_move(position.move_cell(mv)));
            let wide = |mv| position.cell_move(board.move_cell(mv));
            let mut handler = |report: Report<Move>| handler(report.map(&wide));
            self.search(&board, evaluator, settings, &limits, stop, &mut handler).map(&wide)
        })
    }
}

impl Searched for Position {
    fn search(
        &self,
        searcher: &mut Searcher,
        evaluator: &DiceEvaluator,
        settings: &Settings,
        limits: &Limits<Move>,
        stop: &Stop,
        handler: &mut dyn FnMut(Report<Move>),
    ) -> Verdict<Move> {
        if settings.perfect && limits.is_time() {
            return Perfect { position: self, evaluator, settings, limits, stop }.run(searcher, handler);
        }
        searcher.search_dice(self, evaluator, settings, limits, stop, handler)
    }
}
