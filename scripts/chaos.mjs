/** `npm run chaos`: builds and runs the chaos run. Arguments, signals and the exit code pass through. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("chaos", args, { redis: args.some((arg) => /^(--store=)?redis$/.test(arg)) }));
