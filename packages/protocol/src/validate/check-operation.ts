import { invalid, tooLarge, within } from "../arguments/invalid-argument.js";
import type { Limits } from "../arguments/limits.js";
import { oneOrMany, requireItems } from "../arguments/lists.js";
import { plainCopy, refuseUnknown } from "../arguments/options.js";
import { requireOneOf } from "../arguments/require-value.js";
import type { Fields } from "../json/record.js";
import type { Operation } from "../operations/operation.js";
import { OPERATION_FIELDS, TURN_FIELDS } from "../operations/operation-fields.js";
import { type CheckedOperation, type CheckOperation, checkedAsIs } from "./checked-operation.js";
import { checkAppend } from "./operations/append.js";
import { checkArchive, checkSettleArchive } from "./operations/archive.js";
import { checkAdopt, checkCreate } from "./operations/create.js";
import { checkExtend } from "./operations/extend.js";
import { checkRemove } from "./operations/remove.js";
import { checkCount, checkSet } from "./operations/set.js";
import { checkDropSnapshot, checkRestore, checkSnapshot } from "./operations/snapshot.js";
import { checkSplice } from "./operations/splice.js";
import { checkTurn, requireTurnAction } from "./operations/turn.js";
import { checkUpdate } from "./operations/update.js";

/** Every operation has one line here. */
const CHECKS: Readonly<Record<Operation["op"], CheckOperation>> = {
  create: checkCreate,
  adopt: checkAdopt,
  append: checkAppend,
  splice: checkSplice,
  remove: checkRemove,
  update: checkUpdate,
  extend: checkExtend,
  archive: checkArchive,
  "settle-archive": checkSettleArchive,
  snapshot: checkSnapshot,
  "drop-snapshot": checkDropSnapshot,
  restore: checkRestore,
  set: checkSet,
  count: checkCount,
  turn: checkTurn,
  delete: () => checkedAsIs({ op: "delete" }),
};

const KINDS: readonly Operation["op"][] = Object.keys(CHECKS).filter(isKind);

function isKind(name: string): name is Operation["op"] {
  return Object.hasOwn(CHECKS, name);
}

/** Checks an operation before anything is written. Later steps can rely on all of its fields. */
export function checkOperation(value: unknown, path: string, limits: Limits): CheckedOperation {
  const input: Fields = plainCopy(value, path);
  const op = requireOneOf(input["op"], KINDS, within(path, "op"));
  refuseUnknown(input, fieldsOf(op, input, path), path);
  return { op, ...CHECKS[op](input, path, limits) };
}

function fieldsOf(op: Operation["op"], input: Fields, path: string): object {
  return op === "turn" ? TURN_FIELDS[requireTurnAction(input, path)] : OPERATION_FIELDS[op];
}

/** Checks the operations of one commit, and whether they may be combined. */
export function checkOperations(value: unknown, path: string, limits: Limits): readonly CheckedOperation[] {
  const checked = requireItems(oneOrMany(value, path), path, limits, (input, at) =>
    checkOperation(input, at, limits),
  );
  for (const [index, { op }] of checked.entries()) checkPosition(op, index, checked.length, path);
  const bytes = checked.reduce((sum, op) => sum + op.bytes, 0);
  if (bytes > limits.commitBytes) throw tooLarge(path, bytes, limits.commitBytes);
  return checked;
}

function checkPosition(op: Operation["op"], index: number, length: number, path: string): void {
  if (op === "delete" && length > 1)
    throw invalid(`${path}[${index}]`, "must stand alone: nothing can follow a delete in its commit.");
  if ((op === "create" || op === "adopt") && index > 0)
    throw invalid(`${path}[${index}]`, "must come first in its commit.");
}
