import { mkdirSync, rmdirSync } from "node:fs";

/** Makes and removes a folder as fast as it can, for `forMs`. */
const { path, forMs } = JSON.parse(process.argv[2]);
for (const end = performance.now() + forMs; performance.now() < end; ) {
  mkdirSync(path);
  rmdirSync(path);
}
