import { MUTATION_OPTIONS, type MutationOptions } from "../api/mutation.js";
import type { Limits } from "../arguments/limits.js";
import { field, optional } from "../arguments/optional-field.js";
import { requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { requireBoolean, requireCount, requireString, requireTime } from "../arguments/require-value.js";
import { cloneJson } from "../json/clone-json.js";

/** Checks and copies the options of a mutating method. */
export function requireMutationOptions(given: MutationOptions, limits: Limits): MutationOptions {
  const options = requireOptions(given, MUTATION_OPTIONS);
  optional(options.commitId, "options.commitId", (id, path) => requireId(id, path, limits));
  optional(options.ifRevision, "options.ifRevision", (revision, path) => requireCount(revision, path));
  optional(options.ifAbsent, "options.ifAbsent", requireBoolean);
  optional(options.ifIdle, "options.ifIdle", requireBoolean);
  optional(options.fence, "options.fence", requireString);
  const { fingerprint, firstSentAt } = options;
  if (fingerprint === undefined && firstSentAt === undefined) return options;
  return {
    ...options,
    ...field(
      "fingerprint",
      optional(
        fingerprint,
        "options.fingerprint",
        (value, at) => cloneJson(value, at, limits.commitBytes).value,
      ),
    ),
    ...field("firstSentAt", optional(firstSentAt, "options.firstSentAt", requireTime)),
  };
}
