import { mkdirSync, rmdirSync } from "node:fs";

/** Makes and removes a folder as fast as it can, until its input ends. */
const { path } = JSON.parse(process.argv[2]);
let ended = false;
process.stdin.resume().on("end", () => {
  ended = true;
});
while (!ended) {
  for (let times = 0; times < 500; times++) {
    mkdirSync(path);
    rmdirSync(path);
  }
  await new Promise((resolve) => setImmediate(resolve));
}
