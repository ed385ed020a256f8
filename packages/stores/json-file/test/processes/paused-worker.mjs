/** A writer that stops itself (SIGSTOP) right before one call of its file system, and goes on when it is woken. */
import { createStore } from "@sessions/protocol/backend";
import { nodeFileSystem } from "../../dist/engine/node-file-system.js";
import { JsonFileBackend } from "../../dist/json-file-backend.js";
import { openJsonFileContext } from "../../dist/json-file-context.js";

const { root, rotateBytes, stopBefore, messages } = JSON.parse(process.argv[2]);
const real = nodeFileSystem({ folder: 0o700, file: 0o600 });
let armed = false;

function stopOnce() {
  if (!armed) return;
  armed = false;
  process.kill(process.pid, "SIGSTOP");
}

let written = false;
const moments = {
  "the write": { append: (_file, bytes) => bytes.includes('"commits"') && !bytes.includes('"format"') },
  "the look back": {
    append: (_file, bytes) => {
      written = bytes.includes('"commits"');
      return false;
    },
    stat: (path) => written && path.endsWith(".jsonl"),
  },
  "the seal": { append: (_file, bytes) => bytes.includes('"seal"') },
  "the move": { move: (from) => from.endsWith(".candidate") },
};

const fileSystem = { ...real };
for (const [call, isMoment] of Object.entries(moments[stopBefore])) {
  fileSystem[call] = (...args) => {
    if (isMoment(...args)) stopOnce();
    return real[call](...args);
  };
}

const store = createStore(new JsonFileBackend(await openJsonFileContext({ root, rotateBytes }, fileSystem)));
await store.getSession("s");
armed = true;
const { revision } = await store.addMessage("s", messages);
await store.close();
process.send({ revision });
process.disconnect();
