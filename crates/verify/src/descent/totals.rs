//! The descent with a program that tells only totals: its divide is made by asking one ply further down.

use vezir_chess::Move;

use super::{Descent, Step, reason};
use crate::heard::Heard;
use crate::node::Node;
use crate::{Counts, Difference, Ended, Oracle, Tag};

/// The depth to which totals are asked to tell which move is missing.
const GUESS_DEPTH: u32 = 3;

impl<O: Oracle, C: Counts> Descent<'_, O, C> {
    /// Reports a wrong number of moves at a place itself, and goes on to the totals below.
    pub(super) fn judge_total(&mut self, node: &Node, heard: Heard) -> Step<O> {
        let shallow = node.to_depth(1);
        let here =
            if node.query.depth == 1 { heard.differences.clone() } else { self.ask(&shallow)?.differences };
        self.report_total(&shallow, &here)?;
        if node.query.depth == 1 || self.is_done() {
            return Ok(());
        }
        let explained = self.judge_children(node, !here.is_empty())?;
        match heard.differences.into_iter().next() {
            Some(difference) if !explained => self.report_search(node, difference),
            _ => {}
        }
        Ok(())
    }

    /// Goes through all positions one ply down, as FENs and then by moves; tells whether a fault was found.
    fn judge_children(&mut self, node: &Node, mut explained: bool) -> Result<bool, Ended<O::Error>> {
        let moves = node.query.position().legal_moves();
        let mut known = vec![Vec::new(); moves.len()];
        for go in [Node::straight as fn(&Node, Move) -> Node, Node::moved] {
            // Making moves is only suspected where positions are not to blame.
            if explained && !self.wish.all {
                break;
            }
            for (chosen, known) in moves.iter().zip(&mut known) {
                if self.is_done() {
                    return Ok(explained);
                }
                let child = go(node, *chosen);
                let mut heard = self.ask(&child)?;
                heard.differences.retain(|difference| !known.contains(difference));
                known.extend_from_slice(&heard.differences);
                explained |= !heard.differences.is_empty();
                self.judge(&child, heard)?;
            }
        }
        Ok(explained)
    }

    /// Reports a wrong number of moves, with the missing move where the totals tell which it is.
    fn report_total(&mut self, node: &Node, differences: &[Difference]) -> Step<O> {
        let [Difference::Total { ours, theirs }] = differences else { return self.report(node, differences) };
        let kind = reason(node, &differences[0]).tags;
        if self.is_done() || self.seen.0.contains(&kind) || theirs.checked_add(1) != Some(*ours) {
            return self.report(node, differences);
        }
        match self.guess(node)? {
            None => self.report(node, differences),
            Some(chosen) => {
                let missing = Difference::Missing { chosen };
                let mut reason = reason(node, &missing);
                reason.tags = reason.tags.with(Tag::TotalOnly);
                if self.seen.0.insert(reason.tags) {
                    self.keep(node, missing, Vec::new(), reason);
                }
                Ok(())
            }
        }
    }

    /// The one move whose leaves are what each total lacks.
    fn guess(&mut self, node: &Node) -> Result<Option<Move>, Ended<O::Error>> {
        let mut suspects = node.query.position().legal_moves();
        for depth in 2..=GUESS_DEPTH {
            let heard = self.ask(&node.to_depth(depth))?;
            let [Difference::Total { ours, theirs }] = heard.differences[..] else { return Ok(None) };
            suspects.retain(|suspect| {
                let leaves = heard.ours.divide.get(suspect);
                leaves.is_some_and(|leaves| theirs.checked_add(*leaves) == Some(ours))
            });
        }
        Ok(if let [only] = suspects[..] { Some(only) } else { None })
    }
}
