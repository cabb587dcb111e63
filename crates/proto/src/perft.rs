//! Perft requests, and pages of positions column by column.

use vezir_chess::Packed;
use vezir_jobs::PerftRequest;
use vezir_perft::{Share, Slot};

use crate::MAX_PAGE_BYTES;
use crate::malformed::{Malformed, read_move};
use crate::wire::types::v1 as wire;

/// The most that one share takes in a page: a root in three bytes, paths in ten.
const SHARE_BYTES: usize = 13;

/// What a position takes in a page besides its shares: its packing, and their number in two bytes.
const SLOT_BYTES: usize = Packed::BYTES + 2;

impl From<PerftRequest> for wire::Perft {
    fn from(request: PerftRequest) -> wire::Perft {
        wire::Perft {
            fen: request.position.to_string(),
            depth: request.depth,
            split: request.split,
            units: request.units,
            breakdown: request.breakdown,
            hash_bytes: request.hash_bytes,
        }
    }
}

impl TryFrom<wire::Perft> for PerftRequest {
    type Error = Malformed;

    fn try_from(perft: wire::Perft) -> Result<PerftRequest, Malformed> {
        Ok(PerftRequest {
            position: perft.fen.parse()?,
            depth: perft.depth,
            split: perft.split,
            units: perft.units,
            breakdown: perft.breakdown,
            hash_bytes: perft.hash_bytes,
        })
    }
}

/// As many of the slots, from the first one on, as a page of `most_bytes` holds; one at least. No page holds
/// more than [`MAX_PAGE_BYTES`], which is also what 0 stands for.
pub fn page(slots: impl Iterator<Item = Slot>, most_bytes: u32) -> wire::Slots {
    let most = match most_bytes as usize {
        0 => MAX_PAGE_BYTES,
        most => most.min(MAX_PAGE_BYTES),
    };
    let mut page = wire::Slots::default();
    let mut bytes = 0;
    for slot in slots {
        bytes += SLOT_BYTES + SHARE_BYTES * slot.shares.len();
        if bytes > most && !page.shares.is_empty() {
            break;
        }
        page.positions.extend(slot.position.to_bytes());
        page.shares.push(slot.shares.len() as u32);
        page.roots.extend(slot.shares.iter().map(|share| u32::from(share.root.bits())));
        page.paths.extend(slot.shares.iter().map(|share| share.paths));
    }
    page
}

impl TryFrom<wire::Slots> for Vec<Slot> {
    type Error = Malformed;

    fn try_from(page: wire::Slots) -> Result<Vec<Slot>, Malformed> {
        let (positions, rest) = page.positions.as_chunks::<{ Packed::BYTES }>();
        if !rest.is_empty() || positions.len() != page.shares.len() {
            return Err(Malformed::Slots("each position has 32 bytes and one number of shares"));
        }
        if page.roots.len() != page.paths.len() {
            return Err(Malformed::Slots("each share has a root and a number of paths"));
        }
        let mut shares = page.roots.iter().zip(&page.paths);
        let mut share = || {
            let (root, paths) =
                shares.next().ok_or(Malformed::Slots("there are fewer shares than counted"))?;
            Ok(Share { root: read_move(*root)?, paths: *paths })
        };
        let slots = positions.iter().zip(&page.shares).map(|(position, count)| {
            let shares = (0..*count).map(|_| share()).collect::<Result<_, Malformed>>()?;
            Ok(Slot { position: Packed::from_bytes(position), shares })
        });
        let slots = slots.collect::<Result<Vec<Slot>, Malformed>>()?;
        match shares.next() {
            None => Ok(slots),
            Some(_) => Err(Malformed::Slots("there are more shares than counted")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use prost::Message;
    use vezir_chess::Position;
    use vezir_jobs::PerftRequest;
    use vezir_perft::{Frontier, Limits, Slot};

    use super::page;
    use crate::MAX_PAGE_BYTES;
    use crate::wire::types::v1 as wire;

    #[test]
    fn requests_come_back() {
        let mut request = PerftRequest::new(Position::startpos(), 6);
        for hash_bytes in [None, Some(0), Some(1 << 40)] {
            request.hash_bytes = hash_bytes;
            let wire = wire::Perft::from(request.clone());
            assert_eq!(PerftRequest::try_from(wire), Ok(request.clone()));
        }
    }

    #[test]
    fn a_root_that_is_no_position_is_refused_with_the_place() {
        let mut wire = wire::Perft::from(PerftRequest::new(Position::startpos(), 6));
        wire.fen = "8/8/8/8/8/8/8/8 w - - 0 1".to_owned();
        let refused = PerftRequest::try_from(wire).unwrap_err();
        assert!(refused.to_string().contains("column"), "{refused}");
    }

    #[test]
    fn a_frontier_comes_back_in_pages_that_keep_to_their_size() {
        let frontier =
            Frontier::grow(&Position::startpos(), 4, Limits::PLANNED, &AtomicBool::new(false)).unwrap();
        for (asked, most) in [(0, MAX_PAGE_BYTES), (u32::MAX, MAX_PAGE_BYTES), (20_000, 20_000)] {
            let mut slots: Vec<Slot> = Vec::new();
            while slots.len() < frontier.len() {
                let page = page(frontier.slots(slots.len()..frontier.len()), asked);
                assert!(page.encoded_len() <= most);
                slots.extend(Vec::<Slot>::try_from(page).unwrap());
            }
            assert!(slots.into_iter().eq(frontier.slots(0..frontier.len())));
        }
        assert_eq!(page(frontier.slots(0..9), 1).shares.len(), 1, "one at least");
    }

    #[test]
    fn columns_that_do_not_fit_are_refused() {
        let frontier =
            Frontier::grow(&Position::startpos(), 2, Limits::PLANNED, &AtomicBool::new(false)).unwrap();
        let good = page(frontier.slots(0..10), 0);
        let broken: [fn(&mut wire::Slots); 5] = [
            |page| page.positions.truncate(31),
            |page| page.shares[0] += 1,
            |page| page.shares[0] = 0,
            |page| page.paths.truncate(1),
            |page| page.roots[0] = 0xF000,
        ];
        for damage in broken {
            let mut page = good.clone();
            damage(&mut page);
            assert!(Vec::<Slot>::try_from(page).is_err());
        }
    }
}
