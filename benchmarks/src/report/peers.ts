/** What the rows that begin with "peers:" compare, and what they do not. */
export const PEERS: string = `## Peers from npm

The rows that begin with "peers:" put a store beside a library that bots and agents keep conversations with, on the same
engine and with the same durability, by turns in one run. The bar is to be ahead.

| library | keeps a conversation as | a turn is | durability of both |
|---|---|---|---|
| LangGraph's \`SqliteSaver\` | a row for each state, all messages in it | a read, two writes | WAL, \`synchronous = FULL\` (left alone it would be NORMAL) |
| LangChain's ioredis history | a list, an entry for each message | a read, two writes | one server, \`appendfsync everysec\` |
| grammY's redis storage | one text | a read, one write | one server, \`appendfsync everysec\` |
| Keyv on \`@keyv/redis\` | one text | a read, two writes | one server, \`appendfsync everysec\` |
| grammY's file storage | one file | a read, one write | nobody waits for the disk: json-file is \`relaxed\` |

- **A turn** reads all messages, then writes a question and its answer: each at once, or both at the end, as users of the library do
  it. Ours writes as often as theirs. What is read is counted: a turn that misses a message gives no figure.
- **Of 4 processes at once**: each takes 50 turns in one conversation, and then in the next. A library that keeps a document writes all of it. Nothing ties the
  write to the read, so the later of two undoes the other.
- **Lost** are messages that were acknowledged, without an error, and that who reads the conversation is not shown. (SqliteSaver still
  has them, in states that others have followed.) The figure counts what was kept; the note tells how many were acknowledged.
- Only the storage is measured, not the framework around it. With a single process that takes a chat's updates one by one, a document
  loses nothing. LangChain's list never does: an append is one command. Who only appends and never reads gets no row here, since
  that is the raw RPUSH above: of 4 processes that did nothing else, ours kept half as many messages per second as LangChain's.
- The row of json-file without \`relaxed\` has no bar: it waits for the disk with every turn, grammY's file storage never does.
- \`@keyv/sqlite\` is not among them: its driver fetches or compiles a binary while it is installed. The next release can do without
  and needs Node 22, as Keyv 6 does; so Keyv is version 5 here.`;
