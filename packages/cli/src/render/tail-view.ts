import type { TailView } from "../sessions/follow-session.js";
import { stripControls } from "../terminal/strip-controls.js";
import type { Terminal } from "../terminal/terminal.js";
import { bodyLines, bodyOf, messageHead } from "./message-lines.js";

/** Prints each change as a line of JSON. */
export function jsonTail(terminal: Terminal): TailView {
  return {
    message: (message) => terminal.printJson({ event: "message", message }),
    changed: (message) => terminal.printJson({ event: "changed", message }),
    rewritten: (messageIds) => terminal.printJson({ event: "removed", messageIds }),
    deleted: () => terminal.printJson({ event: "deleted" }),
  };
}

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
      const lines = bodyLines(bodyOf(message), terminal.columns);
      if (message.status !== "partial") return terminal.print(...lines, "");
      await terminal.write(lines.join("\n"));
      open = message.id;
    },
    async changed(message, before) {
      const [text, earlier] = [bodyOf(message), bodyOf(before)];
      if (open === message.id && text.startsWith(earlier))
        await terminal.write(stripControls(text.slice(earlier.length)));
      else {
        await closeDraft();
        await terminal.print(messageHead(message, style), ...bodyLines(text, terminal.columns));
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
