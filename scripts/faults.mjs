/** `npm run faults`: builds and runs the fault run. Arguments, signals and the exit code pass through. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("faults", args, { compiler: true }));
