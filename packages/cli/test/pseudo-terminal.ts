import { spawn } from "node:child_process";
import { once } from "node:events";
import { MAIN } from "./run-sessions.js";

/** What a person at a terminal of 80 columns sees. */
export interface Seen {
  readonly code: number | null;
  /** With everything that moves the cursor and colours text. */
  readonly raw: string;
  /** The lines as they stand there in the end: what was drawn over is gone, colours are not text. */
  readonly lines: readonly string[];
}

/** An answer, and the text that it is an answer to. */
export interface Answer {
  readonly to: string;
  readonly type: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs `sessions` in a pseudo-terminal, which `script` of util-linux opens. */
export async function inTerminal(
  args: readonly string[],
  place: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  answers: readonly Answer[] = [],
): Promise<Seen> {
  const line = `stty cols 80 rows 24; exec ${[process.execPath, MAIN, ...args].map(quoted).join(" ")}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    cwd: place.cwd,
    env: {
      PATH: process.env["PATH"],
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      SHELL: "/bin/sh",
      ...place.env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const left = [...answers];
  let raw = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    const [next] = left;
    if (next !== undefined && raw.includes(next.to)) {
      left.shift();
      child.stdin.write(next.type);
    }
  });
  const [code]: unknown[] = await once(child, "close");
  return { code: typeof code === "number" ? code : null, raw, lines: linesOn(raw) };
}

const ESCAPE = "\u001b";
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g");

/** The screen's lines: a line that is returned to and cleared is drawn anew. */
function linesOn(raw: string): readonly string[] {
  return raw
    .replace(COLOURS, "")
    .split(/\r*\n/)
    .map((line) => line.split(`\r${ESCAPE}[K`).at(-1) ?? "")
    .filter((line) => line !== "");
}
