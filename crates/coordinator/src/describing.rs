//! The services that describe the others: which there are, and how they are called.

use tonic::service::RoutesBuilder;
use tonic_reflection::server::{Builder, Error};
use vezir_proto::DESCRIPTORS;

/// The most bytes of a question; answers are as large as our own declarations are.
const MAX_QUESTION_BYTES: usize = 16 << 10;

/// Adds reflection in both of its versions: clients that are older than the first know only the other.
///
/// # Errors
/// Where the declarations that this program carries cannot be read, which would be a fault of ours.
pub(crate) fn describe(routes: &mut RoutesBuilder) -> Result<(), Error> {
    let all = || {
        Builder::configure()
            .register_encoded_file_descriptor_set(DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    routes.add_service(all().build_v1()?.max_decoding_message_size(MAX_QUESTION_BYTES));
    routes.add_service(all().build_v1alpha()?.max_decoding_message_size(MAX_QUESTION_BYTES));
    Ok(())
}
