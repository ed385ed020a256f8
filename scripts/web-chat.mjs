/** `npm run web-chat`: builds and runs the chat in the browser. */
import { main } from "./run/main.mjs";
import { runApp } from "./run/run-app.mjs";

await main((args) => runApp("apps/web-chat", args, { alone: true }));
