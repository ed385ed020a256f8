/** The first released schema. It never changes: a later one is a migration of its own. */
export const VERSION_3: string = `
  -- Facts about the store as a whole.
  CREATE TABLE store (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- One row for each session, and for each deleted one that is still remembered. Nearly every commit writes it, so what may
  -- be large is elsewhere. Times are REAL, because times that callers give need not be whole.
  CREATE TABLE sessions (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    sort_key BLOB NOT NULL UNIQUE, -- the id, as bytes in the order of lists
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    expires_at REAL,
    deleted_at REAL,
    parent BLOB,                   -- the sort key of the parent's id
    version INTEGER NOT NULL,      -- rises with every write of this row
    parts_version INTEGER NOT NULL,-- the version that last wrote a part; 0 if there are none
    change INTEGER NOT NULL,       -- numbers all changes of the store: the feed goes by it
    -- The time and the number for the indexes, coarser: a commit that changes neither writes no page of an index.
    updated_slot REAL NOT NULL,
    change_block INTEGER NOT NULL,
    log INTEGER NOT NULL,          -- where its new messages go; 0 for a deleted session
    next_row INTEGER NOT NULL,
    state TEXT NOT NULL,           -- everything else that is small, as JSON
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_update ON sessions (updated_slot) WHERE deleted_at IS NULL;
  CREATE INDEX sessions_by_creation ON sessions (created_at, sort_key) WHERE deleted_at IS NULL;
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

  -- What may be large and seldom changes: metadata (a part for each key), archives, snapshots.
  CREATE TABLE parts (
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (key, n)
  ) STRICT, WITHOUT ROWID;

  -- A log is a sequence of messages that grows at its end. One session owns it; its forks may refer to its rows.
  CREATE TABLE logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner INTEGER,                 -- NULL: no session writes to it any more
    dirty INTEGER NOT NULL,        -- 1: it may have rows that no session refers to
    staged_at REAL                 -- when rows were written for a commit that is under way
  ) STRICT;
  CREATE INDEX logs_to_sweep ON logs (id) WHERE dirty = 1 OR staged_at IS NOT NULL;

  -- The logs that a session refers to beside its own.
  CREATE TABLE log_references (
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    log INTEGER NOT NULL,
    PRIMARY KEY (key, log)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX log_references_by_log ON log_references (log);

  -- Rows of complete messages never change.
  CREATE TABLE messages (
    row INTEGER PRIMARY KEY,       -- log × 2^26 + position in the log
    log INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,     -- that added it
    crc INTEGER NOT NULL,
    body TEXT NOT NULL,            -- the message as JSON
    indexed INTEGER NOT NULL       -- 0: not in messages_by_id; only some of the last 32 rows of a log are not
  ) STRICT;
  CREATE INDEX messages_by_id ON messages (log, id) WHERE indexed = 1;

  -- What was appended to a draft, until it is complete.
  CREATE TABLE extensions (
    row INTEGER NOT NULL,          -- of the draft
    n INTEGER NOT NULL,
    revision INTEGER NOT NULL,     -- that appended it
    crc INTEGER NOT NULL,
    op TEXT NOT NULL,
    PRIMARY KEY (row, n)
  ) STRICT, WITHOUT ROWID;

  -- What may be asked for again by its id: commits whose ids callers chose ('commit'), commits with generated ids
  -- ('generated'), finished turns ('turn').
  CREATE TABLE memories (
    key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    n INTEGER NOT NULL,            -- in the order in which they came
    at REAL NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (key, kind, id)
  ) STRICT, WITHOUT ROWID;
`;
