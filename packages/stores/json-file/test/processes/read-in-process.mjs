import { createInterface } from "node:readline";
import { openJsonFileStore, SessionError } from "@sessions/json-file";

/** Opens a store as somebody who may not write there, and says what came of it; then tells of changes. */
const { root, options } = JSON.parse(process.argv[2]);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
// Modes do not count for root. After the imports, which this user may not be able to read.
if (process.getuid?.() === 0) {
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
}

const codeOf = (error) =>
  SessionError.is(error) ? { code: error.code, message: error.message } : String(error);
const warnings = [];
const onWarning = ({ code }) => warnings.push(code);
try {
  const store = await openJsonFileStore({ root, onWarning, ...options });
  say({
    warnings,
    described: (await store.describe()).warnings,
    history: (await store.getChatHistory("s")).map(({ content }) => content),
    listed: (await store.listSessions()).items.map(({ id }) => id),
    exported: (await store.exportSession("s")).id ?? "s",
    verified: (await store.verify("s")).ok,
    refused: await store.addMessage("s", { role: "user", content: "x" }).catch(codeOf),
  });
  const controller = new AbortController();
  createInterface({ input: process.stdin }).on("close", () => controller.abort());
  for await (const { revision } of store.watch({ session: "s", since: 0, signal: controller.signal })) {
    say({ revision });
  }
  await store.close();
} catch (error) {
  say({ failed: codeOf(error) });
}
