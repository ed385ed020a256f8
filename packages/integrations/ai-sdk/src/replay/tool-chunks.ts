import { equalJson, jsonify } from "@sessions/protocol/integration";
import { type Fields, isFields } from "@sessions/turn-runner";
import { pickFields } from "../pick-fields.js";

/** The order of the states of a call. */
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
 * The chunks that bring a call from the state that was sent to its present one. There is no chunk for an approval that was given: until the
 * tool answers, the page shows that an approval is requested.
 */
export function toolChunks(part: Fields, sent: Fields | undefined): Fields[] {
  const from = sent === undefined ? 0 : (RANKS[String(sent["state"])] ?? 0);
  const to = RANKS[String(part["state"])] ?? 0;
  return [
    ...(to === 1 ? inputSoFar(part, sent) : []),
    ...(from < 2 && to >= 2 ? input(part, sent) : []),
    ...(from < 3 && isFields(part["approval"]) ? [approval(part, part["approval"])] : []),
    ...(to === 4 && !(from === 4 && isSameOutput(part, sent)) ? output(part) : []),
  ];
}

function inputSoFar(part: Fields, sent: Fields | undefined): Fields[] {
  const raw = textAt(part, "rawInput").slice(textAt(sent ?? {}, "rawInput").length);
  const start = { type: "tool-input-start", ...named(part), ...pickFields(part, "inputEncoding") };
  const delta = { type: "tool-input-delta", toolCallId: part["toolCallId"], inputTextDelta: raw };
  return [...(sent === undefined ? [start] : []), ...(raw === "" ? [] : [delta])];
}

function input(part: Fields, sent: Fields | undefined): Fields[] {
  if (!isUnreadable(part)) return [{ type: "tool-input-available", ...named(part), input: part["input"] }];
  const error = {
    type: "tool-input-error",
    ...named(part),
    input: part["rawInput"],
    errorText: part["errorText"],
  };
  // Only the start has the title.
  return [...(sent === undefined ? [{ type: "tool-input-start", ...named(part) }] : []), error];
}

/** Whether the input of a call fits no schema: one chunk has both the input and the error. */
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

function isSameOutput(part: Fields, sent: Fields | undefined): boolean {
  return equalJson(
    jsonify([part["output"], part["preliminary"]]),
    jsonify([sent?.["output"], sent?.["preliminary"]]),
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
