//! The ids of calls, there and back.

use vezir_jobs::ledger::CallId;

use crate::malformed::Malformed;
use crate::wire::types::v1 as wire;

impl From<CallId> for wire::CallId {
    fn from(call: CallId) -> wire::CallId {
        wire::CallId { hi: (call.0 >> 64) as u64, lo: call.0 as u64 }
    }
}

/// The id of a call, which must be there.
///
/// # Errors
/// [`Malformed::NoCall`]: without an id a repeat could not be recognized.
pub fn read_call(call: Option<wire::CallId>) -> Result<CallId, Malformed> {
    let call = call.unwrap_or_default();
    let id = u128::from(call.hi) << 64 | u128::from(call.lo);
    if id == 0 { Err(Malformed::NoCall) } else { Ok(CallId(id)) }
}

#[cfg(test)]
mod tests {
    use vezir_jobs::ledger::CallId;

    use super::read_call;
    use crate::Malformed;

    #[test]
    fn ids_come_back() {
        let id = CallId(u128::MAX - (1 << 64));
        assert_eq!(read_call(Some(id.into())), Ok(id));
        assert_eq!(read_call(None), Err(Malformed::NoCall));
        assert_eq!(read_call(Some(CallId(0).into())), Err(Malformed::NoCall));
    }
}
