/** `npm start`: builds and runs the chat. Arguments, signals and the exit code pass through. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("apps/chat", args, { alone: true }));
