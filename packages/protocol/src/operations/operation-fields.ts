import type { OptionNames } from "../arguments/options.js";
import type { OperationInput } from "./operation-input.js";

type InputOf<Op, Input = OperationInput> = Input extends { readonly op: infer Kind }
  ? Op extends Kind
    ? Input
    : never
  : never;
type TurnInputOf<Action> = Extract<InputOf<"turn">, { readonly action: Action }>;

/** The fields of every operation but `turn`. */
export const OPERATION_FIELDS: {
  readonly [Op in Exclude<OperationInput["op"], "turn">]: OptionNames<InputOf<Op>>;
} = {
  create: { op: true, document: true },
  adopt: { op: true, document: true },
  append: { op: true, messages: true, onExisting: true },
  splice: { op: true, keep: true, messages: true, force: true },
  remove: { op: true, messageIds: true },
  update: { op: true, message: true },
  extend: {
    op: true,
    messageId: true,
    reasoning: true,
    text: true,
    parts: true,
    metadata: true,
    status: true,
  },
  archive: { op: true, through: true, archiveId: true },
  "settle-archive": { op: true, archiveId: true, summary: true, error: true },
  snapshot: { op: true, name: true },
  "drop-snapshot": { op: true, name: true },
  restore: { op: true, name: true, force: true },
  set: {
    op: true,
    title: true,
    labels: true,
    metadata: true,
    expiresAt: true,
    expiresIn: true,
    renewOnUse: true,
  },
  count: { op: true, deltas: true },
  delete: { op: true },
};

/** The fields of each `turn` operation that a caller may send. */
export const TURN_FIELDS: {
  readonly [Action in InputOf<"turn">["action"]]: OptionNames<TurnInputOf<Action>>;
} = {
  renew: { op: true, action: true },
  interrupt: { op: true, action: true, turnId: true, force: true },
  end: { op: true, action: true, outcome: true, error: true, drafts: true },
};
