import type { Machine } from "../machine.js";
import type { Row } from "../row.js";
import { PEERS } from "./peers.js";
import { table } from "./table.js";

/** The machine on one line. */
export function machineLine({ cpu, cores, memory, node, kernel, fileSystem, load }: Machine): string {
  return `${cpu}, ${cores} cores, ${memory}; ${kernel}; Node ${node}; file system: ${fileSystem}; load before: ${load.toFixed(1)}`;
}

/** The page of the documentation with all rows. */
export function page(machine: Machine, runs: number, rows: readonly Row[]): string {
  return `<!-- Written by \`npm run bench -- --write\`. Do not edit. -->

# Benchmarks

Every figure is a ratio of two measurements made by turns in one run, or a time in ms. A ratio says something on any
machine; messages per second would say something about this one. The median of ${runs} repetitions (fewer where one takes
long) counts; the spread is the smallest and the largest. A bar that is missed is printed as MISSED.

${table(rows)}

![Each measurement against its bar](ratios.svg)

Measured on: ${machineLine(machine)}.

- **Each row** is measured in a process of its own, which does nothing else.
- **Raw loop**: one file, one line as long as the store's own for the same message, one awaited \`fdatasync\` for each line.
- **Longest block**: the longest pause between two turns of the event loop, collections of garbage included.
- **CPU**: user and system time of our process with all its threads, without the server's.
- **Memory held**: heap and external memory after a collection, the store still open, in a process that did nothing else.
- **redis**: a server on this machine that is started for each row, with an append-only file on this disk. Raw commands go to
  the very same server, so both are as durable as its \`appendfsync\`: \`everysec\` where a row does not say otherwise.
- Stores wait for the disk, as they do by default. Only the preparation of a measurement does not.

${PEERS}

## Measure it yourself

\`\`\`sh
npm run bench                             # all of it: some minutes
npm run bench -- --only json-file         # only rows with this in their name
npm run bench -- --only "peers: "         # only the libraries from npm
npm run bench -- --folder /mnt/disk       # on another disk
npm run bench -- --write                  # writes this page
\`\`\`

The exit code is 1 if a bar is missed. On a busy machine some will be.
`;
}
