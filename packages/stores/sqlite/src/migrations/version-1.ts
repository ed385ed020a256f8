/** The first schema. It is never changed: a later one is a migration of its own. */
export const VERSION_1: string = `
  -- What the store as a whole remembers.
  CREATE TABLE store (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- One row for each session id that is in use or whose end is still remembered (deleted_at). It is written with every
  -- commit, so what may be large is elsewhere. Times are REAL, because callers' times need not be whole.
  CREATE TABLE sessions (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    place BLOB NOT NULL UNIQUE,   -- the id, in the order of lists
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    expires_at REAL,
    deleted_at REAL,
    parent BLOB,                  -- the place of the parent's id
    version INTEGER NOT NULL,     -- rises with every write of this row
    parts_version INTEGER NOT NULL,-- the version that last wrote a part; 0 where there are none
    change INTEGER NOT NULL,      -- counts all changes of the store: what watchers go by
    -- The same, coarser, for the indexes: what nearly every commit changes is in none of them.
    updated_second REAL NOT NULL,
    change_block INTEGER NOT NULL,
    log INTEGER NOT NULL,         -- where new messages go; 0 for what has ended
    next_row INTEGER NOT NULL,
    state TEXT NOT NULL,          -- JSON: everything else that is small
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_update ON sessions (updated_second) WHERE deleted_at IS NULL;
  CREATE INDEX sessions_by_creation ON sessions (created_at, place) WHERE deleted_at IS NULL;
  CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
  CREATE INDEX sessions_by_change ON sessions (change_block);
  CREATE INDEX sessions_by_expiry ON sessions (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX sessions_by_deletion ON sessions (deleted_at) WHERE deleted_at IS NOT NULL;

  CREATE TABLE labels (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    PRIMARY KEY (name, value, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX labels_by_session ON labels (key);

  -- What may be large: metadata (one row per key), archives, snapshots. n: in the order in which they came.
  CREATE TABLE parts (
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (key, n)
  ) STRICT, WITHOUT ROWID;

  -- A log is a row of messages that only grows at its end. One session owns it; others may use its rows.
  CREATE TABLE logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner INTEGER,                -- NULL: nobody writes to it any more
    layout INTEGER NOT NULL,      -- rises when a row that was readable before is changed or removed
    shared_until INTEGER NOT NULL,-- rows before this are held by a snapshot or another session: never changed
    dirty INTEGER NOT NULL,       -- there may be rows that no history holds
    staged_at REAL                -- rows that a commit under way will use
  ) STRICT;
  CREATE INDEX logs_to_prune ON logs (id) WHERE dirty = 1 OR staged_at IS NOT NULL;

  -- Which logs a session uses beside its own.
  CREATE TABLE leans (
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    log INTEGER NOT NULL,
    PRIMARY KEY (key, log)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX leans_by_log ON leans (log);

  CREATE TABLE messages (
    row INTEGER PRIMARY KEY,      -- log × 2^26 + place in the log
    log INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,    -- that added it
    crc INTEGER NOT NULL,
    body TEXT NOT NULL            -- the whole message as JSON
  ) STRICT;
  CREATE INDEX messages_by_id ON messages (log, id);

  -- What was appended to a message that is still being written.
  CREATE TABLE fragments (
    row INTEGER NOT NULL,
    n INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    op TEXT NOT NULL,
    PRIMARY KEY (row, n)
  ) STRICT, WITHOUT ROWID;

  -- Commit ids that callers chose, and finished turns (kind): both may come again.
  CREATE TABLE memories (
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    n INTEGER NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (key, kind, id)
  ) STRICT, WITHOUT ROWID;

  -- Generated commit ids, those of one transaction together: they are nearly never asked for, and then by their order.
  CREATE TABLE generated (
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    last TEXT NOT NULL,
    first TEXT NOT NULL,
    n INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (key, last)
  ) STRICT, WITHOUT ROWID;
`;
