-- The rows of the ledger, as crates/jobs/README.md names them: one table for each.
--
-- Numbers of runs, workers and leases are whole numbers that begin at 1. Counts of leaves are 16 bytes, the
-- highest first; numbers that may pass 2^63 are 8 bytes, the highest first. Times are nanoseconds since 1970,
-- lengths of time nanoseconds. A divide is 18 bytes for each root move: the move and its count, the highest
-- byte first, in the order of the moves. A breakdown is its eight counts, figures are their three numbers, in
-- the order of their fields. Deadlines have no table: after a start every live lease gets a full new term.

-- By this number the file is known as a store of Vezir's: "VEZR".
PRAGMA application_id = 1447385682;

-- What was asked. Never changes, and is never removed.
CREATE TABLE submissions (
    run     INTEGER PRIMARY KEY CHECK (run > 0),
    request TEXT NOT NULL CHECK (json_valid(request)),
    owner   TEXT NOT NULL,
    verify  TEXT NOT NULL CHECK (verify IN ('not', 'sample', 'all')),
    seed    BLOB NOT NULL CHECK (length(seed) = 8)
) STRICT;

-- How each run stands. Changes at each grant and each result; never removed.
CREATE TABLE runs (
    run           INTEGER PRIMARY KEY REFERENCES submissions (run),
    kind          TEXT NOT NULL CHECK (kind IN ('bounded', 'open')),        -- never changes
    verify        TEXT NOT NULL CHECK (verify IN ('not', 'sample', 'all')), -- never changes
    seed          BLOB NOT NULL CHECK (length(seed) = 8),                   -- never changes
    submitted     INTEGER NOT NULL CHECK (submitted >= 0),                  -- never changes
    -- Set when it ends; empty again if it becomes disputed afterwards.
    ended         INTEGER CHECK (ended >= 0),
    -- Set when it is planned, and never changed again.
    planned_units INTEGER CHECK (planned_units BETWEEN 0 AND 4294967295),
    split         INTEGER CHECK (split BETWEEN 0 AND 4294967295),
    remaining     INTEGER CHECK (remaining BETWEEN 0 AND 4294967295),
    positions     INTEGER CHECK (positions >= 0),
    hash_bytes    BLOB CHECK (length(hash_bytes) = 8),
    -- The artifact that its frontier is, if it is one: set with the five above, which are its plan.
    frontier      BLOB CHECK (length(frontier) = 32),
    again         INTEGER NOT NULL CHECK (again IN (0, 1)),
    -- Set when it fails.
    failure       TEXT,
    -- Set when it is planned; grows in an open-ended run.
    units         INTEGER NOT NULL CHECK (units BETWEEN 0 AND 4294967295),
    state         TEXT NOT NULL CHECK (state IN ('planning', 'running', 'disputed', 'done', 'cancelled',
                                                 'overflowed', 'failed')),
    -- Grows by one at each grant, and never goes back.
    attempt       INTEGER NOT NULL CHECK (attempt >= 0),
    -- These change when a result or a failure is taken in, and when a result becomes void.
    done          INTEGER NOT NULL CHECK (done >= 0),
    aside         INTEGER NOT NULL CHECK (aside >= 0),
    doubts        INTEGER NOT NULL CHECK (doubts >= 0),
    conflicts     INTEGER NOT NULL CHECK (conflicts >= 0),
    prefix        INTEGER NOT NULL CHECK (prefix >= 0),
    nodes         BLOB NOT NULL CHECK (length(nodes) = 16),
    divide        BLOB NOT NULL CHECK (length(divide) % 18 = 0),
    breakdown     BLOB CHECK (length(breakdown) = 128),
    figures       BLOB NOT NULL CHECK (length(figures) = 24),
    -- Set when it is planned.
    term_lease    INTEGER NOT NULL CHECK (term_lease >= 0),
    term_progress INTEGER NOT NULL CHECK (term_progress >= 0),
    term_unit     INTEGER NOT NULL CHECK (term_unit >= 0),
    CHECK (done + aside <= units AND prefix <= units AND conflicts <= doubts),
    CHECK ((planned_units IS NULL) = (split IS NULL) AND (planned_units IS NULL) = (remaining IS NULL)
           AND (planned_units IS NULL) = (positions IS NULL) AND (planned_units IS NULL) = (hash_bytes IS NULL)),
    CHECK (frontier IS NULL OR planned_units IS NOT NULL),
    CHECK ((ended IS NOT NULL) = (state IN ('done', 'cancelled', 'overflowed', 'failed')))
) STRICT;

-- Who the workers are. Never changes, and is never removed.
CREATE TABLE enrolments (
    worker INTEGER PRIMARY KEY CHECK (worker > 0),
    owner  TEXT NOT NULL,
    name   TEXT NOT NULL,
    UNIQUE (owner, name)
) STRICT;

-- How each worker stands; never removed.
CREATE TABLE workers (
    worker      INTEGER PRIMARY KEY REFERENCES enrolments (worker),
    incarnation BLOB NOT NULL CHECK (length(incarnation) = 8),      -- grows when it registers
    cores       INTEGER NOT NULL CHECK (cores >= 0),                -- set when it registers
    busy        INTEGER NOT NULL CHECK (busy >= 0),                 -- at each grant and end of a lease
    state       TEXT NOT NULL CHECK (state IN ('active', 'paused', 'quarantined')),
    failed      INTEGER NOT NULL CHECK (failed >= 0),               -- at each failure, and success after one
    -- Both change at each grant of units to count.
    near_run    INTEGER REFERENCES runs (run),
    near_unit   INTEGER CHECK (near_unit BETWEEN 0 AND 4294967295),
    CHECK ((near_run IS NULL) = (near_unit IS NULL))
) STRICT;

-- The right to work on units [first_unit, end_unit); kept when it has ended, for late results are judged by it.
CREATE TABLE leases (
    run         INTEGER NOT NULL REFERENCES runs (run),
    attempt     INTEGER NOT NULL CHECK (attempt > 0),
    worker      INTEGER NOT NULL REFERENCES workers (worker),
    first_unit  INTEGER NOT NULL CHECK (first_unit >= 0),
    end_unit    INTEGER NOT NULL CHECK (end_unit >= first_unit),    -- lowered when it is cut
    granted_end INTEGER NOT NULL CHECK (granted_end BETWEEN end_unit AND 4294967295),
    purpose     TEXT NOT NULL CHECK (purpose IN ('count', 'again', 'opinion')),
    cores       INTEGER NOT NULL CHECK (cores >= 0),
    -- Set once, when it ends.
    ended       TEXT CHECK (ended IN ('finished', 'released', 'expired', 'stuck', 'overdue', 'replaced',
                                      'quarantined', 'run ended')),
    PRIMARY KEY (run, attempt)
) STRICT, WITHOUT ROWID;

-- Which runs have live leases is asked at each start, and when an ended run is put out of memory.
CREATE INDEX live_leases ON leases (run) WHERE ended IS NULL;

-- The slices of units that wait. Each comes and goes; its end changes when it is joined with another.
CREATE TABLE queue (
    run        INTEGER NOT NULL REFERENCES runs (run),
    first_unit INTEGER NOT NULL CHECK (first_unit >= 0),
    end_unit   INTEGER NOT NULL CHECK (end_unit > first_unit AND end_unit <= 4294967295),
    PRIMARY KEY (run, first_unit)
) STRICT, WITHOUT ROWID;

-- What an attempt found out about a unit: an answer, or the evidence of a failure. Only its standing ever
-- changes: when a majority decides otherwise, and when its worker is quarantined. Never removed.
CREATE TABLE findings (
    run       INTEGER NOT NULL,
    unit      INTEGER NOT NULL CHECK (unit BETWEEN 0 AND 4294967295),
    attempt   INTEGER NOT NULL,
    worker    INTEGER NOT NULL REFERENCES workers (worker),
    standing  TEXT NOT NULL CHECK (standing IN ('counted', 'vote', 'failed', 'aside', 'void')),
    evidence  TEXT,
    nodes     BLOB CHECK (length(nodes) = 16),
    divide    BLOB CHECK (length(divide) % 18 = 0),
    breakdown BLOB CHECK (length(breakdown) = 128),
    figures   BLOB CHECK (length(figures) = 24),
    PRIMARY KEY (run, unit, attempt),
    FOREIGN KEY (run, attempt) REFERENCES leases (run, attempt),
    CHECK ((evidence IS NULL) = (nodes IS NOT NULL)),
    CHECK ((nodes IS NULL) = (divide IS NULL) AND (nodes IS NULL) = (figures IS NULL)),
    CHECK (nodes IS NOT NULL OR breakdown IS NULL)
) STRICT, WITHOUT ROWID;

-- Each unit is closed once: counted, or set aside.
CREATE UNIQUE INDEX one_standing_finding ON findings (run, unit) WHERE standing IN ('counted', 'aside');

-- In which runs a worker found anything is asked when it is quarantined.
CREATE INDEX findings_of_worker ON findings (worker, run);

-- The counted units about which another worker is, or was, to be asked. Never removed.
CREATE TABLE doubts (
    run     INTEGER NOT NULL REFERENCES runs (run),
    unit    INTEGER NOT NULL CHECK (unit BETWEEN 0 AND 4294967295),
    cause   TEXT NOT NULL CHECK (cause IN ('check', 'conflict')),   -- when answers come to differ, or agree
    settled INTEGER NOT NULL CHECK (settled IN (0, 1)),             -- when a majority decides, or others agree
    PRIMARY KEY (run, unit)
) STRICT, WITHOUT ROWID;

-- In how many results of a run others agreed with a worker. Grows; never removed.
CREATE TABLE trust (
    run    INTEGER NOT NULL REFERENCES runs (run),
    worker INTEGER NOT NULL REFERENCES workers (worker),
    agreed INTEGER NOT NULL CHECK (agreed BETWEEN 0 AND 4294967295),
    PRIMARY KEY (run, worker)
) STRICT, WITHOUT ROWID;

-- The answered calls. Never changes; removed some minutes after it was answered.
CREATE TABLE calls (
    id       BLOB PRIMARY KEY CHECK (length(id) = 16),
    verb     TEXT NOT NULL,
    reply    TEXT NOT NULL CHECK (json_valid(reply)),
    answered INTEGER NOT NULL CHECK (answered >= 0)
) STRICT, WITHOUT ROWID;
