/** `npm run bot-workers`: builds and runs the bot under load. Arguments, signals and the exit code pass through. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("apps/bot-workers", args, { alone: true }));
