//! What the bytes of a frontier promise.

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use vezir_chess::Position;

use super::*;

static QUIET: AtomicBool = AtomicBool::new(false);

fn grown(ply: u32) -> Frontier {
    Frontier::grow(&Position::startpos(), ply, Limits::CHOSEN, &QUIET).expect("small enough")
}

fn bytes(frontier: &Frontier) -> Vec<u8> {
    let mut bytes = Vec::new();
    frontier.write(&mut bytes).expect("memory takes all");
    bytes
}

fn read(bytes: &[u8]) -> Result<Frontier, ReadError> {
    Frontier::read(&mut &*bytes, Limits::CHOSEN)
}

#[test]
fn a_frontier_comes_back_as_it_was() {
    for ply in 0..=4 {
        let frontier = grown(ply);
        let bytes = bytes(&frontier);
        let back = read(&bytes).expect("a frontier");
        assert_eq!((back.ply(), back.paths()), (ply, frontier.paths()));
        assert!(back.slots(0..back.len()).eq(frontier.slots(0..frontier.len())), "ply {ply}");
        assert_eq!(self::bytes(&back), bytes, "ply {ply}");
    }
}

#[test]
fn an_empty_frontier_comes_back() {
    let mated: Position = "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1".parse().expect("a position");
    let frontier = Frontier::grow(&mated, 3, Limits::CHOSEN, &QUIET).expect("small enough");
    let back = read(&bytes(&frontier)).expect("a frontier");
    assert_eq!((back.ply(), back.len(), back.paths()), (3, 0, 0));
}

#[test]
fn the_format_does_not_change() {
    let root: Position = "k7/8/8/8/8/8/8/7K w - - 0 1".parse().expect("a position");
    let frontier = Frontier::grow(&root, 1, Limits::CHOSEN, &QUIET).expect("small enough");
    let bytes = bytes(&frontier);
    let (header, columns) = bytes.split_at(48);
    let told = [
        &b"VEZIRFRO"[..],
        &[1, 0, 0, 0, 1, 0, 0, 0],
        &[3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0],
        &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ];
    assert_eq!(header, told.concat());
    let mut moves = root.legal_moves();
    moves.sort_unstable();
    // On g2 the king has eight moves, on g1 and h2 five.
    moves.swap(0, 1);
    let positions: Vec<u8> = moves.iter().flat_map(|chosen| root.after(*chosen).pack().to_bytes()).collect();
    let roots: Vec<u8> = moves.iter().flat_map(|chosen| chosen.bits().to_le_bytes()).collect();
    assert_eq!(columns, [&positions[..], &[1, 1, 1], &roots, &[1, 1, 1]].concat());
}

#[test]
fn varints_are_as_short_as_they_can_be() {
    for number in [0, 1, 127, 128, 300, 1 << 63, u64::MAX] {
        let mut bytes = Vec::new();
        write_varint(&mut bytes, number).expect("memory takes all");
        assert_eq!(read_varint(&mut &*bytes).expect("a number"), number);
    }
    let ten = [0xFF; 10];
    let wrong = [&[0x80, 0][..], &ten, &[&ten[..9], &[2][..]].concat(), &[0x81, 0x80, 0]];
    for bytes in wrong {
        assert!(matches!(read_varint(&mut &*bytes), Err(ReadError::Varint)), "{bytes:?}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let good = bytes(&grown(2));
    let (shares, roots) = (48 + 400 * 32, 48 + 400 * 33);
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        read(&bytes).err().map(|error| error.to_string()).unwrap_or_default()
    };
    for (at, byte, wrong) in [
        (0, b'v', "this is not a frontier"),
        (8, 2, "of format 2"),
        (12, 65, "at ply 65"),
        (12, 0, "at ply 0 with 400 positions"),
        (23, 1, "more than allowed"),
        (31, 1, "more than allowed"),
        (24, 0x91, "have 400 shares; 401 would be right"),
        (32, 0x91, "sum to 400; 401 would be right"),
        (48 + 32 + 27, 0xFF, "position 1 of the frontier is not one"),
        (shares, 0, "position 0 of the frontier cannot have 0 shares"),
        (shares + 399, 2, "position 399 of the frontier cannot have 2 shares"),
        (roots + 1, 0xF0, "of position 0 is none"),
        (roots + 800, 0, "share 0 of the frontier has no paths"),
        (roots + 800, 2, "sum to 401; 400 would be right"),
    ] {
        let told = with(at, byte);
        assert!(told.contains(wrong), "{at} {byte}: {told}");
    }
    assert!(matches!(read(&[&good[..], &[0]].concat()), Err(ReadError::TooLong)));
}

#[test]
fn root_moves_of_a_position_must_grow() {
    let root = Position::startpos();
    let mut moves = root.legal_moves();
    moves.sort_unstable();
    let told = |roots: &[Move]| {
        let mut frontier = Frontier::empty(2);
        for roots in [&moves[3..4], roots] {
            let shares = roots.iter().map(|root| crate::Share { root: *root, paths: 1 });
            frontier.push(root.pack(), shares);
        }
        read(&bytes(&frontier)).err().map(|error| error.to_string())
    };
    assert_eq!(told(&moves[..3]), None);
    for wrong in [[moves[1], moves[0]], [moves[1], moves[1]]] {
        let error = told(&wrong).unwrap_or_default();
        assert!(error.contains("of position 1 is none, or not in order"), "{error}");
    }
}

#[test]
fn a_frontier_that_is_cut_off_is_refused_wherever() {
    let good = bytes(&grown(1));
    for length in 0..good.len() {
        assert!(matches!(read(&good[..length]), Err(ReadError::TooShort)), "{length}");
    }
}

#[test]
fn limits_hold_before_anything_is_read() {
    let good = bytes(&grown(2));
    let few = Limits { positions: 399, bytes: usize::MAX };
    let small = Limits { positions: usize::MAX, bytes: grown(2).bytes() - 1 };
    for limits in [few, small] {
        let refused = Frontier::read(&mut &good[..48], limits);
        assert!(matches!(refused, Err(ReadError::TooLarge { positions: 400, shares: 400 })));
    }
    let enough = Limits { positions: 400, bytes: grown(2).bytes() };
    assert!(Frontier::read(&mut &*good, enough).is_ok());
}

#[test]
fn errors_of_the_input_are_passed_on() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let error = Frontier::read(&mut Broken, Limits::CHOSEN).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("the frontier cannot be read: the disk is gone"));
}

proptest! {
    /// Whatever bytes are read as a frontier are exactly those of that frontier.
    #[test]
    fn changed_bytes_are_refused_or_are_another_frontier(
        changes in prop::collection::vec((0..1_000_000_usize, any::<u8>()), 1..4),
        ply in 0..3_u32,
    ) {
        let mut changed = bytes(&grown(ply));
        for (at, byte) in changes {
            let at = at % changed.len();
            changed[at] = byte;
        }
        if let Ok(frontier) = read(&changed) {
            prop_assert!(bytes(&frontier) == changed);
        }
    }

    #[test]
    fn any_columns_are_survived(
        ply in 0..3_u8,
        sizes in (0..4_u8, 0..6_u8),
        columns in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut made = [&MAGIC[..], &[1, 0, 0, 0, ply, 0, 0, 0]].concat();
        made.extend(u64::from(sizes.0).to_le_bytes());
        made.extend(u64::from(sizes.1).to_le_bytes());
        made.extend(u128::from(sizes.1).to_le_bytes());
        made.extend(columns);
        if let Ok(frontier) = read(&made) {
            prop_assert!(bytes(&frontier) == made);
        }
    }
}
