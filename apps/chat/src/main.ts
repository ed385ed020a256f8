/** `npm start`: a chat in the terminal. */
import { begin } from "./begin.js";
import { converse } from "./converse.js";
import { runDemo } from "./demo/run-demo.js";
import { openChat } from "./open-chat.js";
import { HELP, type Options, readOptions } from "./options.js";
import { errorText } from "./terminal/error-text.js";
import { listenForClosedOutput } from "./terminal/listen-for-closed-output.js";
import { listenForSignals } from "./terminal/listen-for-signals.js";
import { stripControls } from "./terminal/strip-controls.js";

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) console.log(HELP);
  else if (options.demo) await runDemo();
  else await run(options);
} catch (error) {
  console.error(stripControls(errorText(error)));
  process.exitCode = 1;
}

async function run(options: Options): Promise<void> {
  const chat = await openChat(options);
  listenForSignals(chat.button, chat.interactive);
  listenForClosedOutput(process.stdout, chat.button);
  try {
    await begin(chat, options);
    await converse(chat);
  } finally {
    chat.lines.close();
    await chat.store.close();
  }
}
