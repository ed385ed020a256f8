export const VERSION_2: string = `
  -- An append need not touch the index of message ids: \`indexed\` says which rows are in it. Those that are not are the
  -- last ones of their log, so that they are quickly looked through.
  ALTER TABLE messages ADD COLUMN indexed INTEGER NOT NULL DEFAULT 1;
  DROP INDEX messages_by_id;
  CREATE INDEX messages_by_id ON messages (log, id) WHERE indexed = 1;

  -- Sessions of one slot of time are sorted when they are listed. A second can hold thousands of them, 20 ms cannot.
  ALTER TABLE sessions RENAME COLUMN updated_second TO updated_slot;
  UPDATE sessions SET updated_slot = floor(updated_at / 20);
`;
