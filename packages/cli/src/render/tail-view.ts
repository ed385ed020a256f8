import type { TailView } from "../sessions/session-follower.js";
import { stripControls, stripControlsLine } from "../terminal/strip-controls.js";
import type { Terminal } from "../terminal/terminal.js";
import { bodyLines, bodyOf, draftText, INDENT, messageHead } from "./message-lines.js";
import type { ToolView } from "./tool-lines.js";

/** Prints each change as a line of JSON, with the id of the session if it is one of several. */
export function jsonTail(terminal: Terminal, sessionId?: string): TailView {
  const about = sessionId === undefined ? {} : { sessionId };
  return {
    message: (message) => terminal.printJson({ event: "message", ...about, message }),
    changed: (message) => terminal.printJson({ event: "changed", ...about, message }),
    rewritten: (messageIds) => terminal.printJson({ event: "removed", ...about, messageIds }),
    deleted: () => terminal.printJson({ event: "deleted", ...about }),
  };
}

const TOOLS: ToolView = { full: false, names: new Map() };

/** Prints messages as text. A draft grows in place, word by word. */
export function terminalTail(terminal: Terminal): TailView {
  const { style } = terminal;
  /** The draft after which the cursor stands. */
  let open: string | undefined;
  const closeDraft = async (): Promise<void> => {
    if (open !== undefined) await terminal.write("\n");
    open = undefined;
  };
  return {
    async message(message) {
      await closeDraft();
      await terminal.print(messageHead(message, style));
      const body = bodyOf(message, TOOLS);
      if (message.status !== "partial") return terminal.print(...bodyLines(body, terminal.columns), "");
      await terminal.write(draftText(body, terminal.columns));
      open = message.id;
    },
    async changed(message, before) {
      const [text, earlier] = [bodyOf(message, TOOLS), bodyOf(before, TOOLS)];
      if (open === message.id && text.startsWith(earlier))
        await terminal.write(grownText(text.slice(earlier.length)));
      else {
        await closeDraft();
        await terminal.print(messageHead(message, style));
        await terminal.write(draftText(text, terminal.columns));
        open = message.id;
      }
      if (message.status === "partial") return;
      if (message.status !== undefined) await terminal.write(style.bad(` [${message.status}]`));
      await closeDraft();
      await terminal.print("");
    },
    async rewritten(messageIds) {
      await closeDraft();
      await terminal.print(style.dim(`— ${messageIds.length} of the messages above are no longer there —`));
    },
    async deleted() {
      await closeDraft();
      await terminal.print(style.bad("— the session was deleted —"));
    },
  };
}

/** What was added to a draft, behind the text that stands there. */
function grownText(text: string): string {
  return stripControls(text).replaceAll("\n", `\n${INDENT}`);
}

/** Prints the messages of one session among several: each with the id of the session, and when it is complete. */
export function completeTail(terminal: Terminal, sessionId: string): TailView {
  const { style } = terminal;
  const name = style.name(stripControlsLine(sessionId));
  const view: TailView = {
    async message(message) {
      if (message.status === "partial") return;
      const lines = bodyLines(bodyOf(message, TOOLS), terminal.columns);
      await terminal.print(`${name}  ${messageHead(message, style)}`, ...lines, "");
    },
    changed: (message) => view.message(message),
    rewritten: (messageIds) =>
      terminal.print(`${name}  ${style.dim(`— ${messageIds.length} messages are no longer there —`)}`, ""),
    deleted: () => terminal.print(`${name}  ${style.bad("— the session was deleted —")}`, ""),
  };
  return view;
}
