/**
 * An append need not touch the index of message ids: `indexed` says which rows are in it. Those that are not are the last
 * ones of their log, so that they are quickly looked through. See `unindexed-rows.ts`.
 */
export const VERSION_2: string = `
  ALTER TABLE messages ADD COLUMN indexed INTEGER NOT NULL DEFAULT 1;
  DROP INDEX messages_by_id;
  CREATE INDEX messages_by_id ON messages (log, id) WHERE indexed = 1;
`;
