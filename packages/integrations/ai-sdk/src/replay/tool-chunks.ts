import { equalJson, jsonify } from "@sessions/protocol/integration";
import { type Fields, isFields } from "@sessions/turn-runner";
import { pickFields } from "../pick-fields.js";

/** How far a call has come. */
const RANKS: Readonly<Record<string, number>> = {
  "input-streaming": 1,
  "input-available": 2,
  "approval-requested": 3,
  "approval-responded": 3,
  "output-available": 4,
  "output-error": 4,
  "output-denied": 4,
};

/**
 * The chunks that take a call from where it was told to where it is. There is no chunk for an approval that was given:
 * until the tool answers, a reader sees that one was asked for.
 */
export function toolChunks(part: Fields, told: Fields | undefined): Fields[] {
  const from = told === undefined ? 0 : (RANKS[String(told["state"])] ?? 0);
  const to = RANKS[String(part["state"])] ?? 0;
  return [
    ...(to === 1 ? inputSoFar(part, told) : []),
    ...(from < 2 && to >= 2 ? input(part, told) : []),
    ...(from < 3 && isFields(part["approval"]) ? [approval(part, part["approval"])] : []),
    ...(to === 4 && !(from === 4 && isSameOutput(part, told)) ? output(part) : []),
  ];
}

function inputSoFar(part: Fields, told: Fields | undefined): Fields[] {
  const raw = textAt(part, "rawInput").slice(textAt(told ?? {}, "rawInput").length);
  const start = { type: "tool-input-start", ...named(part), ...pickFields(part, "inputEncoding") };
  const delta = { type: "tool-input-delta", toolCallId: part["toolCallId"], inputTextDelta: raw };
  return [...(told === undefined ? [start] : []), ...(raw === "" ? [] : [delta])];
}

function input(part: Fields, told: Fields | undefined): Fields[] {
  if (!isUnreadable(part)) return [{ type: "tool-input-available", ...named(part), input: part["input"] }];
  const error = {
    type: "tool-input-error",
    ...named(part),
    input: part["rawInput"],
    errorText: part["errorText"],
  };
  // The start has the title.
  return [...(told === undefined ? [{ type: "tool-input-start", ...named(part) }] : []), error];
}

/** What a model wrote that no schema accepts: input and failure are told in one. */
function isUnreadable(part: Fields): boolean {
  return part["state"] === "output-error" && part["input"] === undefined;
}

function approval(part: Fields, asked: Fields): Fields {
  return {
    type: "tool-approval-request",
    approvalId: asked["id"],
    toolCallId: part["toolCallId"],
    ...(asked["descriptor"] === undefined ? {} : { approvalDescriptor: asked["descriptor"] }),
    ...pickFields(asked, "inputSchemaInput", "signature"),
  };
}

function output(part: Fields): Fields[] {
  const { toolCallId, state } = part;
  const about = {
    ...pickFields(part, "providerExecuted"),
    ...(part["type"] === "dynamic-tool" ? { dynamic: true } : {}),
    ...(part["resultProviderMetadata"] === undefined
      ? {}
      : { providerMetadata: part["resultProviderMetadata"] }),
  };
  if (state === "output-denied") return [{ type: "tool-output-denied", toolCallId }];
  if (state === "output-available")
    return [
      {
        type: "tool-output-available",
        toolCallId,
        output: part["output"],
        ...pickFields(part, "preliminary"),
        ...about,
      },
    ];
  return isUnreadable(part)
    ? []
    : [{ type: "tool-output-error", toolCallId, errorText: part["errorText"], ...about }];
}

function isSameOutput(part: Fields, told: Fields | undefined): boolean {
  return equalJson(
    jsonify([part["output"], part["preliminary"]]),
    jsonify([told?.["output"], told?.["preliminary"]]),
  );
}

function named(part: Fields): Fields {
  const isDynamic = part["type"] === "dynamic-tool";
  return {
    toolCallId: part["toolCallId"],
    toolName: isDynamic ? part["toolName"] : String(part["type"]).slice("tool-".length),
    ...(isDynamic ? { dynamic: true } : {}),
    ...pickFields(part, "providerExecuted", "title", "toolMetadata"),
    ...(part["callProviderMetadata"] === undefined ? {} : { providerMetadata: part["callProviderMetadata"] }),
  };
}

function textAt(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : "";
}
