import { openJsonFileStore } from "@sessions/json-file";

/** Adds a message to each of the sessions, `rounds` times. */
const { root, sessions, rounds } = JSON.parse(process.argv[2]);
const store = await openJsonFileStore({ root, durability: "relaxed" });
for (let round = 0; round < rounds; round++) {
  await Promise.all(sessions.map((id) => store.addMessage(id, { role: "user", content: `${round}` })));
}
await store.close();
