/** `npm run recording`: builds the chat, records its demo at a terminal, and writes docs/recordings/chat.svg. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { animatedSvg } from "./recording/animated-svg.mjs";
import { recordTerminal } from "./recording/record-terminal.mjs";
import { terminalText } from "./recording/terminal-text.mjs";
import { root } from "./root.mjs";
import { main } from "./run/main.mjs";
import { buildApp } from "./run/run-app.mjs";

const file = join(root, "docs/recordings/chat.svg");
const size = { columns: 80, rows: 24 };

await main(async () => {
  const chat = await buildApp("apps/chat", [], { alone: true });
  const output = await recordTerminal([process.execPath, chat, "--demo"], size);
  const options = { ...size, title: "npm start -- --demo", firstFrame: "you> " };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, animatedSvg(terminalText(output, size.columns), options));
  console.log(`wrote ${file}`);
});
