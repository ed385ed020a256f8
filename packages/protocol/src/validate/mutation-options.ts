import { cloneJson } from "../json/clone-json.js";
import type { MutationOptions } from "../store/mutation.js";
import {
  invalid,
  optional,
  requireBoolean,
  requireCount,
  requireRecord,
  requireString,
  requireTime,
} from "./argument.js";
import { requireId } from "./identifier.js";
import type { Limits } from "./limits.js";

/** What every mutator takes, checked. */
export function checkMutationOptions(options: MutationOptions, limits: Limits): void {
  requireRecord(options, "options");
  optional(options.commitId, "options.commitId", (id, path) => requireId(id, path, limits));
  optional(options.ifRevision, "options.ifRevision", (revision, path) => requireCount(revision, path));
  optional(options.ifAbsent, "options.ifAbsent", requireBoolean);
  optional(options.ifIdle, "options.ifIdle", requireBoolean);
  optional(options.fence, "options.fence", requireString);
  optional(options.fingerprint, "options.fingerprint", cloneJson);
  optional(options.firstSentAt, "options.firstSentAt", requireTime);
  checkSignal(options.signal);
}

export function checkSignal(signal: unknown): void {
  if (signal === undefined || (typeof signal === "object" && signal !== null && "aborted" in signal)) return;
  throw invalid("options.signal", "must be an AbortSignal.");
}
