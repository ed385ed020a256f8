import type { ActionIntent } from "./action-intent.js";
import type { Expectation } from "./expectation.js";
import { merge } from "./merge-action.js";
import {
  type ActionContext,
  append,
  appendAgain,
  appendToolCall,
  clear,
  pop,
  remove,
  replace,
  replaceUnchanged,
  revertTo,
  update,
} from "./message-actions.js";
import type { NaiveSession } from "./naive-session.js";
import {
  archive,
  count,
  create,
  dropSnapshot,
  exportAndImport,
  fork,
  metadata,
  remove as removeSession,
  revert,
  settle,
  snapshot,
  title,
} from "./session-actions.js";

/** The second session of an action, such as a fork. */
export interface OtherSession {
  readonly id: string;
  readonly session: NaiveSession | undefined;
}

/** The call of an action and its expected result. */
export function expectationOf(
  intent: ActionIntent,
  context: ActionContext,
  revision: number,
  other: OtherSession,
): Expectation {
  switch (intent.action) {
    case "append":
      return append(intent, context);
    case "append-tool-call":
      return appendToolCall(intent, context);
    case "append-again":
      return appendAgain(intent, context);
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
      return fork(intent, context, other.id, other.session);
    case "export-import":
      return exportAndImport(context, other.id, other.session, revision);
    case "create":
      return create(context);
    case "delete":
      return removeSession(context);
  }
}
