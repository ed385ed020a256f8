/** Appends short messages to one session, one after the other, until its input ends. */
import { openJsonFileStore } from "@sessions/json-file";

const { root, name } = JSON.parse(process.argv[2]);
const store = await openJsonFileStore({ root });
let going = true;
process.stdin.on("end", () => {
  going = false;
});
process.stdin.resume();
let count = 0;
while (going) {
  await store.addMessage("s", { id: `${name}-${count}`, role: "user", content: "short" });
  if (++count === 20) console.log(JSON.stringify({ busy: true }));
}
await store.close();
console.log(JSON.stringify({ count }));
