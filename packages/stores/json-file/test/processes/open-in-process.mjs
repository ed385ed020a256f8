import { openJsonFileStore, SessionError } from "@sessions/json-file";

/** Opens a store as a user for whom modes count, and says what came of it. */
const { root, options } = JSON.parse(process.argv[2]);
// After the imports, which this user may not be able to read.
if (process.getuid?.() === 0) {
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
}
const outcome = await openJsonFileStore({ root, ...options }).then(
  () => "opened",
  (error) => (SessionError.is(error) ? error : String(error)),
);
process.stdout.write(`${JSON.stringify(outcome)}\n`);
