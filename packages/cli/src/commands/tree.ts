import type { SessionSummary, SessionTree } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { treeLines } from "../render/tree-lines.js";
import { forestOf } from "../sessions/session-forest.js";

/** `sessions tree`. */
export function treeCommand(run: Runner): Command {
  return command("tree", "shows sessions with their forks", ["tree user-42", "tree"])
    .argument("[id]", "the session to begin from; without it, every session that has forks")
    .action((id: string | undefined, _options: object, self: Command) =>
      run(self, async ({ open, terminal, json, signal }) => {
        const store = await open();
        const trees = id === undefined ? [] : [await store.getSessionTree(id, { signal })];
        if (id === undefined) {
          const sessions: SessionSummary[] = [];
          for await (const session of store.listSessions({ order: "created-asc", limit: 1000, signal }))
            sessions.push(session);
          trees.push(...forestOf(sessions).filter(({ children }) => children.length > 0));
        }
        if (json)
          return trees.reduce(
            (before, tree) => before.then(() => terminal.printJson(jsonTree(tree))),
            Promise.resolve(),
          );
        for (const tree of trees) await terminal.print(...treeLines(tree, terminal.style, terminal.columns));
        if (trees.length === 0) terminal.note("No session has forks.");
      }),
    );
}

interface JsonTree {
  readonly id: string;
  readonly title?: string;
  readonly messageCount: number;
  readonly children: readonly JsonTree[];
}

function jsonTree({ session, children }: SessionTree): JsonTree {
  const { id, title, messageCount } = session;
  return { id, ...(title === undefined ? {} : { title }), messageCount, children: children.map(jsonTree) };
}
