//! The command line of what is open to whom: addresses, certificates, tokens.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use vezir_coordinator::access::{Role, owner};

/// The most days that a certificate may be valid: longer than anybody should wait.
const MAX_DAYS: i64 = 3650;

/// Where a coordinator listens, and to whom it answers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Listening")]
pub(crate) struct ListenArgs {
    /// Where to listen, as HOST:PORT; anything but loopback takes TLS and a token file
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:6464", env = "VEZIR_LISTEN")]
    pub(crate) listen: String,

    /// The certificate to show, a PEM file
    #[arg(long, value_name = "FILE", env = "VEZIR_TLS_CERT")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The key of the certificate, a PEM file
    #[arg(long, value_name = "FILE", env = "VEZIR_TLS_KEY")]
    pub(crate) tls_key: Option<PathBuf>,

    /// The file that says whose tokens allow what, as `vezir tokens add` writes it
    #[arg(long, value_name = "FILE", env = "VEZIR_TOKENS")]
    pub(crate) tokens: Option<PathBuf>,
}

/// Which coordinator is called, and how one is known to it.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Coordinator")]
pub(crate) struct DialArgs {
    /// The coordinator's address, as https://HOST:PORT, or http:// on loopback
    #[arg(long, value_name = "ADDRESS", env = "VEZIR_COORDINATOR")]
    pub(crate) coordinator: Option<String>,

    /// The CA that signed the coordinator's certificate, a PEM file
    #[arg(long, value_name = "FILE", env = "VEZIR_CA")]
    pub(crate) ca: Option<PathBuf>,

    /// A file that holds the token to call with
    #[arg(long, value_name = "FILE", env = "VEZIR_TOKEN_FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

/// Make certificates for a coordinator
///
/// Makes a CA of your own and, signed by it, a certificate for the names and addresses by which the
/// coordinator is called; localhost, 127.0.0.1 and ::1 are always among them. A CA that the folder has
/// already is kept, so that nobody needs to be told of a new one.
#[derive(Args, Debug)]
#[command(after_help = CERTS_EXAMPLES)]
pub(crate) struct CertsArgs {
    /// Host names and addresses of the coordinator; with --force, those of before if none is given
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Where the files go
    #[arg(long, value_name = "DIR", default_value = "certs")]
    pub(crate) folder: PathBuf,

    /// How many days the coordinator's certificate is valid
    #[arg(long, value_name = "DAYS", default_value = "365", value_parser = days, allow_hyphen_values = true)]
    pub(crate) days: i64,

    /// Replace the coordinator's certificate and key; the CA is kept all the same
    #[arg(long)]
    pub(crate) force: bool,
}

const CERTS_EXAMPLES: &str = "\
Examples:
  vezir certs chess.example.org 192.168.1.20
  vezir certs --force                             Renew, for the same names, under the same CA

The coordinator takes coordinator.pem as --tls-cert and coordinator-key.pem as --tls-key.
Everybody who calls it takes ca.pem as --ca. Keep ca-key.pem to yourself: whoever has it can
pretend to be the coordinator.";

/// Make and list the tokens that a coordinator knows
#[derive(Args, Debug)]
pub(crate) struct TokensArgs {
    #[command(subcommand)]
    pub(crate) command: TokensCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TokensCommand {
    Add(AddTokenArgs),
    List(ListTokensArgs),
}

/// Make a token and print it, this once, or write it into a file
///
/// The coordinator's file keeps only its hash, its owner and its roles. To take a token back, remove its line; a coordinator
/// that runs sees the change within seconds.
#[derive(Args, Debug)]
#[command(after_help = TOKENS_EXAMPLES)]
pub(crate) struct AddTokenArgs {
    /// Whose token it is; work done twice to be sure is given to different owners
    #[arg(long, value_name = "NAME", value_parser = owner_name)]
    pub(crate) owner: String,

    /// What it allows; may be given several times, and none implies another
    ///
    /// view: see runs and workers. submit: begin, cancel and resume runs. work: be a worker. operate: pause,
    /// resume, quarantine and drain workers.
    #[arg(long = "role", value_name = "ROLE", required = true, value_parser = role(), value_delimiter = ',')]
    pub(crate) roles: Vec<Role>,

    /// The file of the coordinator's tokens
    #[arg(long, value_name = "FILE", default_value = "tokens", env = "VEZIR_TOKENS")]
    pub(crate) file: PathBuf,

    /// Write the token into this new file, which only its owner can read, and print nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

const TOKENS_EXAMPLES: &str = "\
Examples:
  vezir tokens add --owner ada --role view --role submit --out ada.token
  vezir tokens add --owner rack7 --role work --file /etc/vezir/tokens --out worker.token";

/// List owners, roles and the beginnings of hashes
#[derive(Args, Debug)]
pub(crate) struct ListTokensArgs {
    /// The file of the coordinator's tokens
    #[arg(long, value_name = "FILE", default_value = "tokens", env = "VEZIR_TOKENS")]
    pub(crate) file: PathBuf,
}

fn role() -> impl TypedValueParser<Value = Role> {
    let names = PossibleValuesParser::new(Role::ALL.map(Role::name));
    names.try_map(|name| Role::named(&name).ok_or("no role"))
}

fn owner_name(text: &str) -> Result<String, String> {
    owner(text).map(|()| text.to_owned()).map_err(|wrong| wrong.to_string())
}

fn days(text: &str) -> Result<i64, String> {
    let days = text.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days));
    days.ok_or_else(|| format!("a whole number from 1 to {MAX_DAYS} would be right"))
}
