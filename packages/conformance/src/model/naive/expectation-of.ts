import type { ActIntent } from "./act-intent.js";
import type { Expectation } from "./expectation.js";
import { merge } from "./merge-act.js";
import {
  type ActContext,
  clear,
  pop,
  remove,
  replace,
  replaceUnchanged,
  revertTo,
  say,
  sayAgain,
  update,
  useTool,
} from "./message-acts.js";
import type { NaiveSession } from "./naive-session.js";
import {
  archive,
  count,
  create,
  dropSnapshot,
  fork,
  metadata,
  move,
  remove as removeSession,
  revert,
  settle,
  snapshot,
  title,
} from "./session-acts.js";

/** What else an act may be about: another session. */
export interface Elsewhere {
  readonly id: string;
  readonly session: NaiveSession | undefined;
}

/** The call that an act stands for, and what must come of it: every act has its line here. */
export function expectationOf(
  intent: ActIntent,
  context: ActContext,
  revision: number,
  elsewhere: Elsewhere,
): Expectation {
  switch (intent.act) {
    case "say":
      return say(intent, context);
    case "use-tool":
      return useTool(intent, context);
    case "say-again":
      return sayAgain(intent, context);
    case "replace":
      return replace(intent, context);
    case "merge":
      return merge(intent, context);
    case "replace-unchanged":
      return replaceUnchanged(intent, context);
    case "pop":
      return pop(intent, context);
    case "clear":
      return clear(context);
    case "remove":
      return remove(intent, context);
    case "update":
      return update(intent, context);
    case "archive":
      return archive(intent, context);
    case "settle":
      return settle(intent, context);
    case "snapshot":
      return snapshot(intent, context);
    case "revert":
      return revert(intent, context);
    case "drop-snapshot":
      return dropSnapshot(intent, context);
    case "revert-to":
      return revertTo(intent, context);
    case "metadata":
      return metadata(intent, context);
    case "title":
      return title(intent, context);
    case "count":
      return count(intent, context);
    case "fork":
      return fork(intent, context, elsewhere.id, elsewhere.session);
    case "move":
      return move(context, elsewhere.id, elsewhere.session, revision);
    case "create":
      return create(context);
    case "delete":
      return removeSession(context);
  }
}
