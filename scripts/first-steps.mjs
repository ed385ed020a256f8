/** `npm run first-steps`: builds and runs the smallest app. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("apps/first-steps", args, { alone: true }));
