import { setTimeout as pause } from "node:timers/promises";
import type { Screen } from "../terminal/screen.js";
import { ChatChild } from "./chat-child.js";
import { survived } from "./survived.js";

const KEY_MS = 12;
/** Before the user types, so that a reader can follow. */
const THINKING_MS = 300;

const STARTED = "and npm start again.\n";
const NOTE = "the lamp needs oil";
const QUESTION = "tell me a long story";
/** In the middle of a sentence of the story. */
const KILLED_AT = "Night 3. It rained without an end,";

/** What a demo works with. */
interface DemoOptions {
  /** An empty folder. */
  readonly folder: string;
  /** Where the keys of the user go. */
  readonly output: { write(text: string): unknown };
  readonly screen: Screen;
  /** Ends the demo and its chat. */
  readonly signal: AbortSignal;
}

/** Two chat processes on one folder: the first is killed in the middle of an answer, the second goes on. */
export class Demo {
  readonly #options: DemoOptions;

  constructor(options: DemoOptions) {
    this.#options = options;
  }

  async play(): Promise<void> {
    const { folder, screen } = this.#options;
    const shown = await this.#untilKilled();
    await this.#recovered();
    screen.line(await survived(folder, { note: NOTE, question: QUESTION, shown }));
  }

  /** Returns as much of the answer as was shown. */
  async #untilKilled(): Promise<string> {
    const { screen } = this.#options;
    await using chat = await this.#start();
    await this.#wrote(chat, STARTED);
    await this.#ask(chat, `remember that ${NOTE}`, "in this conversation.\n");
    await this.#ask(chat, QUESTION, KILLED_AT);
    const shown = await chat.kill();
    screen.line(`$ kill -9 ${chat.pid}`);
    screen.error("Killed");
    return shown;
  }

  async #recovered(): Promise<void> {
    await using chat = await this.#start();
    await this.#wrote(chat, "Kept as it is, marked as interrupted.\n");
    await this.#ask(chat, "what did I say before?", `"${QUESTION}".\n`);
    await this.#ask(chat, "show my notes", `1. ${NOTE}\n`);
    await this.#typed("you> ", "/quit");
    chat.type("/quit");
    await chat.ended(0);
  }

  /** Types a line, and waits until its answer has this text. */
  async #ask(chat: ChatChild, line: string, answer: string): Promise<void> {
    await this.#typed("you> ", line);
    chat.type(line);
    await this.#wrote(chat, answer);
  }

  async #start(): Promise<ChatChild> {
    const { folder, screen } = this.#options;
    await this.#typed("$ ", "npm start");
    const listener = {
      say: (piece: string) => screen.say(piece),
      remark: (line: string) => screen.remark(line),
    };
    return new ChatChild(folder, listener);
  }

  async #wrote(chat: ChatChild, text: string): Promise<void> {
    await chat.wrote(text, this.#options.signal);
  }

  async #typed(prompt: string, line: string): Promise<void> {
    const { output, screen, signal } = this.#options;
    screen.endAnswer();
    output.write(prompt);
    await pause(THINKING_MS, undefined, { signal });
    for (const key of line) {
      output.write(key);
      await pause(KEY_MS, undefined, { signal });
    }
    output.write("\n");
  }
}
