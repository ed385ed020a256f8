import { openJsonFileStore } from "@sessions/json-file";
import { followTurn } from "@sessions/managed-agent";

/** Says what it sees of the turn that runs. */
const { root, sessionId } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
process.stdin.on("end", () => process.exit(0)).resume();

const store = await openJsonFileStore({ root });
for await (const event of followTurn(store, sessionId)) say({ event });
say({ done: true });
