//! Counts, answers and figures, there and back.

use vezir_perft::{Answer, Breakdown, Counted, Figures};

use crate::malformed::{Malformed, read_move, required};
use crate::wire::types::v1 as wire;

impl From<u128> for wire::U128 {
    fn from(count: u128) -> wire::U128 {
        wire::U128 { hi: (count >> 64) as u64, lo: count as u64 }
    }
}

impl From<wire::U128> for u128 {
    fn from(count: wire::U128) -> u128 {
        u128::from(count.hi) << 64 | u128::from(count.lo)
    }
}

impl From<Answer> for wire::Answer {
    fn from(answer: Answer) -> wire::Answer {
        let part = |(root, nodes): (vezir_chess::Move, u128)| wire::Part {
            root: root.bits().into(),
            nodes: Some(nodes.into()),
        };
        wire::Answer {
            nodes: Some(answer.nodes.into()),
            divide: answer.divide.into_iter().map(part).collect(),
            breakdown: answer.breakdown.map(Into::into),
        }
    }
}

impl TryFrom<wire::Answer> for Answer {
    type Error = Malformed;

    fn try_from(answer: wire::Answer) -> Result<Answer, Malformed> {
        let part = |part: wire::Part| {
            Ok::<_, Malformed>((read_move(part.root)?, required(part.nodes, "divide.nodes")?.into()))
        };
        Ok(Answer {
            nodes: required(answer.nodes, "nodes")?.into(),
            divide: answer.divide.into_iter().map(part).collect::<Result<_, _>>()?,
            breakdown: answer.breakdown.map(TryInto::try_into).transpose()?,
        })
    }
}

impl From<Breakdown> for wire::Breakdown {
    fn from(breakdown: Breakdown) -> wire::Breakdown {
        let [captures, en_passants, castles, promotions, checks, discovered, double, mates] =
            breakdown.cells().map(|count| Some(count.into()));
        wire::Breakdown { captures, en_passants, castles, promotions, checks, discovered, double, mates }
    }
}

impl TryFrom<wire::Breakdown> for Breakdown {
    type Error = Malformed;

    fn try_from(breakdown: wire::Breakdown) -> Result<Breakdown, Malformed> {
        let count = |count: Option<wire::U128>| required(count, "breakdown").map(Into::into);
        Ok(Breakdown {
            captures: count(breakdown.captures)?,
            en_passants: count(breakdown.en_passants)?,
            castles: count(breakdown.castles)?,
            promotions: count(breakdown.promotions)?,
            checks: count(breakdown.checks)?,
            discovered: count(breakdown.discovered)?,
            double: count(breakdown.double)?,
            mates: count(breakdown.mates)?,
        })
    }
}

impl From<Counted> for wire::Counted {
    fn from(counted: Counted) -> wire::Counted {
        wire::Counted { answer: Some(counted.answer.into()), figures: Some(counted.figures.into()) }
    }
}

impl TryFrom<wire::Counted> for Counted {
    type Error = Malformed;

    fn try_from(counted: wire::Counted) -> Result<Counted, Malformed> {
        Ok(Counted {
            answer: required(counted.answer, "answer")?.try_into()?,
            figures: required(counted.figures, "figures")?.into(),
        })
    }
}

impl From<Figures> for wire::Figures {
    fn from(figures: Figures) -> wire::Figures {
        wire::Figures { walked: figures.walked, probes: figures.probes, hits: figures.hits }
    }
}

impl From<wire::Figures> for Figures {
    fn from(figures: wire::Figures) -> Figures {
        Figures { walked: figures.walked, probes: figures.probes, hits: figures.hits }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vezir_chess::Position;
    use vezir_perft::{Answer, Breakdown};

    use crate::wire::types::v1 as wire;

    proptest! {
        #[test]
        fn counts_come_back(count: u128) {
            prop_assert_eq!(u128::from(wire::U128::from(count)), count);
        }

        #[test]
        fn answers_come_back(nodes: u128, parts: [u128; 20], cells: [u128; 8], kinds: bool) {
            let roots = Position::startpos().legal_moves();
            let answer = Answer {
                nodes,
                divide: roots.into_iter().zip(parts).collect(),
                breakdown: kinds.then(|| Breakdown::from_cells(cells)),
            };
            prop_assert_eq!(Answer::try_from(wire::Answer::from(answer.clone())), Ok(answer));
        }
    }
}
