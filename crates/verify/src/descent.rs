//! The descent: from a position where the program differs down to those whose moves it has wrong.

mod totals;

use std::collections::BTreeSet;

use vezir_chess::Packed;

use crate::heard::{Heard, hear};
use crate::node::{Node, passed};
use crate::said::{squares, tidied};
use crate::{Counts, Difference, Ended, Finding, First, Oracle, Query, Reason, Report, Tag, Tags, Way, Wish};

/// Asks `query` and, where the answer is wrong, goes down to what is to blame.
///
/// A miscounted move leads to the position after it, asked as a FEN; where that is right, the program's own making
/// of the move is to blame, and the descent goes on by moves. A program that prints only totals is asked for
/// those of all positions one ply further down. Depth 0 asks nothing.
///
/// Where the answer to `query` is right, nothing else is asked. One that is wrong by moves is asked as a FEN as well:
/// only what that does not show is a fault of making moves.
pub fn descend<O: Oracle, C: Counts>(
    oracle: &mut O,
    counts: &mut C,
    query: &Query,
    wish: Wish,
) -> Report<O::Error> {
    let seen = (BTreeSet::new(), BTreeSet::new());
    let (root, first) = (query.clone(), First::default());
    let mut descent = Descent { oracle, counts, root, wish, findings: Vec::new(), queries: 0, first, seen };
    let ended = match descent.begin(query) {
        Ok(()) => Ended::Done,
        Err(ended) => ended,
    };
    Report { findings: descent.findings, queries: descent.queries, first: descent.first, ended }
}

struct Descent<'a, O, C> {
    oracle: &'a mut O,
    counts: &'a mut C,
    /// The question with which all began.
    root: Query,
    wish: Wish,
    findings: Vec<Finding>,
    queries: u32,
    first: First,
    /// Kinds that have their example, and positions that were gone through at some depth.
    seen: (BTreeSet<Tags>, BTreeSet<(Packed, u32)>),
}

type Step<O> = Result<(), Ended<<O as Oracle>::Error>>;

impl<O: Oracle, C: Counts> Descent<'_, O, C> {
    fn begin(&mut self, query: &Query) -> Step<O> {
        if query.depth == 0 {
            return Ok(());
        }
        let node = Node { path: query.moves.clone(), query: query.clone() };
        let heard = self.ask(&node)?;
        if query.way == Way::Position || heard.differences.is_empty() {
            return self.judge(&node, heard);
        }
        let straight = Query { way: Way::Position, ..query.clone() };
        let straight = Node { path: query.moves.clone(), query: straight };
        let known = self.ask(&straight)?;
        self.compared(&straight, known, &node, |_| Ok(heard)).map(drop)
    }

    fn is_done(&self) -> bool {
        !self.wish.all && !self.findings.is_empty()
    }

    fn ask(&mut self, node: &Node) -> Result<Heard, Ended<O::Error>> {
        if self.queries == self.wish.queries {
            return Err(Ended::Limit);
        }
        self.queries += 1;
        let (came, heard) = hear(self.oracle, self.counts, &node.query);
        if self.queries == 1 {
            self.first = came;
        }
        heard.map_err(|failure| Ended::Failed(Box::new(node.query.clone()), failure))
    }

    /// Goes through one place as a FEN and, where that shows no fault or all are wanted, by moves.
    ///
    /// Tells whether either way differs.
    fn both(&mut self, straight: &Node, moved: &Node) -> Result<bool, Ended<O::Error>> {
        let heard = self.ask(straight)?;
        self.compared(straight, heard, moved, |descent| descent.ask(moved))
    }

    /// The same, where the answer about the FEN is there, and that by moves comes from a function.
    fn compared(
        &mut self,
        straight: &Node,
        heard: Heard,
        moved: &Node,
        by_moves: impl FnOnce(&mut Self) -> Result<Heard, Ended<O::Error>>,
    ) -> Result<bool, Ended<O::Error>> {
        let mut known = heard.differences.clone();
        let differs = !known.is_empty();
        self.judge(straight, heard)?;
        if self.is_done() || (differs && !self.wish.all) {
            return Ok(differs);
        }
        let mut heard = by_moves(self)?;
        // What the FEN shows too is no fault of making moves.
        heard.differences.retain(|difference| !known.contains(difference));
        known.append(&mut heard.differences.clone());
        self.judge(moved, heard)?;
        Ok(!known.is_empty())
    }

    /// Reports what is wrong at a place itself, and goes on to what is wrong below.
    fn judge(&mut self, node: &Node, heard: Heard) -> Step<O> {
        if heard.differences.is_empty() || self.was_gone_through(node) {
            return Ok(());
        }
        if heard.differences.contains(&Difference::Nothing) {
            return self.report(node, &heard.differences);
        }
        if !heard.listed {
            return self.judge_total(node, heard);
        }
        let is_below =
            |found: &Difference| matches!(found, Difference::Miscounted { .. }) && node.query.depth > 1;
        let (below, here): (Vec<_>, Vec<_>) = heard.differences.into_iter().partition(is_below);
        self.judge_list(node, here)?;
        for difference in below {
            if self.is_done() {
                break;
            }
            if let Difference::Miscounted { chosen, .. } = difference
                && !self.both(&node.straight(chosen), &node.moved(chosen))?
            {
                self.report_search(node, difference);
            }
        }
        Ok(())
    }

    /// Reports a wrong list, by the question to depth 1 where that shows it too.
    fn judge_list(&mut self, node: &Node, here: Vec<Difference>) -> Step<O> {
        if here.is_empty() || node.query.depth == 1 {
            return self.report(node, &here);
        }
        let shallow = node.to_depth(1);
        let known = match self.ask(&shallow) {
            Ok(heard) => heard.differences,
            Err(ended) => {
                self.report(&shallow, &here)?;
                return Err(ended);
            }
        };
        let (plain, deep): (Vec<_>, Vec<_>) = here.into_iter().partition(|found| known.contains(found));
        self.report(&shallow, &plain)?;
        self.report(node, &deep)
    }

    fn was_gone_through(&mut self, node: &Node) -> bool {
        // By moves the program's state is a part of the place, and only the path tells it.
        let key = (node.query.position().pack(), node.query.depth);
        node.query.way == Way::Position && !self.seen.1.insert(key)
    }

    /// Keeps one example of each new kind among the differences of one place.
    fn report(&mut self, node: &Node, differences: &[Difference]) -> Step<O> {
        for difference in differences {
            let reason = reason(node, difference);
            if self.is_done() || !self.seen.0.insert(reason.tags) {
                continue;
            }
            let others = differences.iter().filter(|other| *other != difference).cloned().collect();
            let shortest = self.shortest(node, difference);
            self.keep(shortest.as_ref().unwrap_or(node), difference.clone(), others, reason);
            shortest?;
        }
        Ok(())
    }

    /// A fault that no position below shows: the program is right wherever it is asked.
    fn report_search(&mut self, node: &Node, difference: Difference) {
        let tags = Tags::of(Tag::SearchOnly);
        if !self.is_done() && self.seen.0.insert(tags) {
            let why = "asked one ply further down the program is right, as a FEN and by moves".to_owned();
            self.keep(node, difference, Vec::new(), Reason { tags, why });
        }
    }

    fn keep(&mut self, node: &Node, difference: Difference, others: Vec<Difference>, reason: Reason) {
        self.findings.push(Finding {
            root: self.root.root,
            path: node.path.clone(),
            position: node.query.position(),
            query: node.query.clone(),
            difference,
            others,
            tags: reason.tags,
            why: reason.why,
            smallest: None,
        });
    }

    /// The same place by the fewest moves that still show the difference.
    fn shortest(&mut self, node: &Node, difference: &Difference) -> Result<Node, Ended<O::Error>> {
        if node.query.way == Way::Moves {
            for kept in 1..node.query.moves.len() {
                let shorter = node.with_tail(kept);
                if self.ask(&shorter)?.differences.contains(difference) {
                    return Ok(shorter);
                }
            }
        }
        Ok(node.clone())
    }
}

/// The reason for a difference, with what the way of asking adds to it.
fn reason(node: &Node, difference: &Difference) -> Reason {
    let mut reason = Reason::of(&node.query.position(), passed(node.query.last()), difference);
    if node.query.way == Way::Moves && !is_hidden(node, difference) {
        reason.tags = reason.tags.with(Tag::MakeMoveOnly);
    }
    let is_list = matches!(difference, Difference::Missing { .. } | Difference::Extra { .. });
    if is_list && node.query.depth > 1 {
        reason.tags = reason.tags.with(Tag::SearchOnly);
    }
    reason
}

/// Whether a difference shows only by moves because the FEN cannot tell of the pawn that was just passed: a
/// position keeps its en passant square only where a capture there is legal.
fn is_hidden(node: &Node, difference: &Difference) -> bool {
    let Some(passed) = passed(node.query.last()) else { return false };
    let hides = node.query.position().en_passant().is_none();
    hides
        && match difference {
            Difference::Extra { text } => squares(&tidied(text)).is_some_and(|(_, to, _)| to == passed),
            Difference::Total { .. } => true,
            _ => false,
        }
}
