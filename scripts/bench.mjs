/** `npm run bench`: builds and runs the benchmarks. Arguments, signals and the exit code pass through. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

/** Rows of the Redis store need a server; whoever asks for others alone does not. */
const needsRedis = (args) => !args.includes("--only") || args.includes("redis");

await main((args) => runApp("benchmarks", args, { redis: needsRedis(args) }));
