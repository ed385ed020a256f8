import { openJsonFileStore } from "@sessions/json-file";

/** Begins a turn, whose interruption is watched for, and forgets to end it. */
const { root } = JSON.parse(process.argv[2]);
const store = await openJsonFileStore({ root });
await store.beginTurn("s", { ttlMs: 60_000 });
