import { type SearchHit, type SessionStore, textOf } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { label, pointInTime, positiveNumber } from "../command/parse-arguments.js";
import { counted } from "../render/counted.js";
import { exportedOrDamaged } from "../sessions/all-sessions.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import type { Terminal } from "../terminal/terminal.js";
import { fitted, wrapped } from "../terminal/width.js";

interface SearchOptions {
  readonly label?: Readonly<Record<string, string>>;
  readonly since?: number;
  readonly limit: number;
}

type Hit = Pick<SearchHit, "sessionId" | "messageId" | "snippet">;

/** `sessions search`. */
export function searchCommand(run: Runner): Command {
  return command("search", "finds messages by what they say", [
    "search parcel",
    "search 'lost parcel' --label user=42 --since 30d",
  ])
    .argument("<text>", "what to look for, as plain text")
    .option("-l, --label <key=value>", "only in sessions with this label (repeatable)", label)
    .option("--since <time>", "only messages since a date, or since 90m, 12h, 7d ago", pointInTime)
    .option("-n, --limit <n>", "at most this many", positiveNumber, 20)
    .action((text: string, options: SearchOptions, self: Command) =>
      run(self, async (context) => {
        const { terminal, json } = context;
        const resolved = await context.resolve();
        const store = await context.opened(resolved, "existing");
        if (store.search === undefined) noteMissingIndex(terminal, (await resolved.tools()).searchHint);
        const hits =
          store.search === undefined
            ? scanned(store, text, options, context)
            : indexed(store, text, options, context);
        let count = 0;
        for await (const { sessionId, messageId, snippet } of hits) {
          count++;
          if (json) await terminal.printJson({ sessionId, messageId, snippet });
          else
            await terminal.print(
              `${terminal.style.name(stripControlsLine(sessionId))}  ${terminal.style.dim(stripControlsLine(messageId))}`,
              `  ${fitted(stripControlsLine(snippet), terminal.columns - 2)}`,
            );
        }
        if (count === 0 && !json) terminal.note("No message was found.");
      }),
    );
}

async function* indexed(
  store: SessionStore,
  text: string,
  options: SearchOptions,
  { signal }: CommandContext,
): AsyncGenerator<Hit> {
  const { label: labels, since, limit } = options;
  const query = {
    text,
    limit,
    signal,
    ...(labels === undefined ? {} : { labels }),
    ...(since === undefined ? {} : { since }),
  };
  yield* (await store.search?.(query))?.items ?? [];
}

/** Says that a store without an index is read as a whole, which is slow, and how to get one. */
function noteMissingIndex(terminal: Terminal, hint: string = NO_INDEX): void {
  const text = stripControlsLine(`This store has no search index, so every session is read. ${hint}`);
  for (const line of wrapped(text, terminal.noteColumns)) terminal.note(terminal.noteStyle.dim(line));
}

const NO_INDEX =
  "Of the stores, SQLite can have one: sessions migrate FROM 'sqlite:./copy.db?search=true' makes a copy that has it.";

/** Reads every session. */
async function* scanned(
  store: SessionStore,
  text: string,
  options: SearchOptions,
  context: CommandContext,
): AsyncGenerator<Hit> {
  const { terminal, signal } = context;
  const progress = new Progress(terminal, "searching");
  const wanted = text.toLowerCase();
  let left = options.limit;
  let searched = 0;
  context.whenStopped(() => `${counted(searched, "session")} had been searched. Nothing was changed.`);
  try {
    for await (const { id } of store.listSessions({
      labels: options.label,
      updatedSince: options.since,
      limit: 1000,
      signal,
    })) {
      signal.throwIfAborted();
      progress.advance();
      searched++;
      const bundle = await exportedOrDamaged(store, id, signal);
      if (bundle !== undefined && "problem" in bundle) {
        progress.end();
        terminal.note(terminal.noteStyle.bad(stripControlsLine(`Not searched: ${id}. ${bundle.problem}`)));
        continue;
      }
      for (const message of bundle?.session.messages ?? []) {
        const said = textOf(message);
        const at = said.toLowerCase().indexOf(wanted);
        if (at === -1 || (options.since !== undefined && message.createdAt < options.since)) continue;
        progress.end();
        yield { sessionId: id, messageId: message.id, snippet: said.slice(Math.max(0, at - 30), at + 200) };
        left--;
        if (left === 0) return;
      }
    }
  } finally {
    progress.end();
  }
}
