/** `npm run bench`: builds and runs the benchmarks. Arguments, signals and the exit code pass through. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("benchmarks", args, { redis: true }));
