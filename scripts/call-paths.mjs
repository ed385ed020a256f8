/** `npm run call-paths`: builds, records the call paths of docs/architecture.md, and writes them there. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("docs", args));
