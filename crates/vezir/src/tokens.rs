//! `vezir tokens`: makes tokens and lists them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use vezir_coordinator::access::{Caller, Entry, MAX_TOKENS, TOKEN_BYTES, Token, Tokens};

use crate::args::{AddTokenArgs, ListTokensArgs, TokensArgs, TokensCommand};
use crate::exit::{Exit, Failure};
use crate::talk::{print, say};

/// As much of a hash as tells it from others.
const HASH_CHARS: usize = "sha256:".len() + 12;

/// Makes a token, or lists what the file holds.
pub(crate) fn run(args: TokensArgs) -> Result<Exit, Failure> {
    match args.command {
        TokensCommand::Add(args) => add(&args),
        TokensCommand::List(args) => list(&args),
    }
}

fn add(args: &AddTokenArgs) -> Result<Exit, Failure> {
    let (text, tokens) = read(&args.file, true)?;
    if tokens.entries().len() >= MAX_TOKENS {
        let sentence =
            format!("{}: it holds {MAX_TOKENS} tokens, the most there may be", args.file.display());
        return Err(Failure::new(Exit::BadInput, sentence));
    }
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(Exit::Unserved, format!("the system gives no random bytes: {error}"))
    })?;
    let token = Token::from_random(bytes);
    let caller = Caller { owner: Arc::from(&*args.owner), roles: args.roles.iter().copied().collect() };
    let told = format!("{} may now: {}", caller.owner, caller.roles);
    let entry = Entry { caller, hash: token.hash() };
    let secret = format!("{}\n", token.reveal());
    // Before the coordinator knows it: no token is valid that was lost.
    if let Some(path) = &args.out {
        write_new(path, &secret).map_err(|error| unmade(path, &error))?;
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let appended = append(&args.file, &format!("{gap}{entry}\n"));
    match &args.out {
        Some(path) => {
            appended.map_err(|error| {
                // It is of no use.
                let _ = fs::remove_file(path);
                unwritable(&args.file, &error)
            })?;
            say(&format!("{told}; the token is in {}", path.display()));
        }
        None => {
            appended.map_err(|error| unwritable(&args.file, &error))?;
            print(&secret)?;
            say(&format!("{told}; the token is shown only this once"));
        }
    }
    Ok(Exit::Done)
}

fn list(args: &ListTokensArgs) -> Result<Exit, Failure> {
    let (_, tokens) = read(&args.file, false)?;
    let lines = tokens.entries().iter().map(|Entry { caller, hash }| {
        let hash = hash.to_string();
        format!("{} {} {}\n", caller.owner, caller.roles, &hash[..HASH_CHARS])
    });
    print(&lines.collect::<String>())?;
    Ok(Exit::Done)
}

/// The file's text and what it says. One that is `new` need not be there yet.
fn read(path: &Path, new: bool) -> Result<(String, Tokens), Failure> {
    let bad = |sentence: String| Failure::new(Exit::BadInput, format!("{}: {sentence}", path.display()));
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if new && error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(bad(format!("{error}; a file that `vezir tokens add` wrote would be right")));
        }
    };
    let tokens = Tokens::parse(&text).map_err(|faults| {
        let lines: Vec<String> =
            faults.0.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
        Failure::new(Exit::BadInput, lines.join("\n"))
    })?;
    Ok((text, tokens))
}

/// Adds a line in one write, so that two who add at once do not lose each other's.
fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = open_private(path, OpenOptions::new().append(true).create(true))?;
    file.write_all(line.as_bytes())?;
    file.sync_all()
}

/// Writes a file that was not there.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = open_private(path, OpenOptions::new().write(true).create_new(true))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Opens a file; a new one is its owner's alone.
fn open_private(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let sentence = format!("{}: {error}; a file that may be written would be right", path.display());
    Failure::new(Exit::Unserved, sentence)
}

/// Why a token's own file is not made: what is there is never replaced.
fn unmade(path: &Path, error: &io::Error) -> Failure {
    if error.kind() == ErrorKind::AlreadyExists {
        let sentence = format!("{}: it is there already; a new name would be right", path.display());
        return Failure::new(Exit::Usage, sentence);
    }
    unwritable(path, error)
}
