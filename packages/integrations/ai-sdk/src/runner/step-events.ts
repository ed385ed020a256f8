import { type Json, jsonify } from "@sessions/protocol";
import { type AgentEvent, toolErrorOutput } from "@sessions/turn-runner";
import type { TextStreamPart, ToolSet } from "ai";
import { type KeptPart, keptContent } from "./model-history.js";

/** Turns the stream of the SDK into events of a turn, step by step. */
export class StepEvents {
  /** The content of this step, as the model needs it in later requests. */
  readonly #content: KeptPart[] = [];
  /** A tool may answer while the model still calls others. Results wait for the end of the step, so that its content stays one message. */
  readonly #results: AgentEvent[] = [];

  events(part: TextStreamPart<ToolSet>): readonly AgentEvent[] {
    switch (part.type) {
      case "text-delta":
        this.#grow("text", part.id, part.text);
        return [{ type: "text-delta", text: part.text }];
      case "reasoning-delta":
        this.#grow("reasoning", part.id, part.text);
        return [{ type: "reasoning-delta", text: part.text }];
      case "text-end":
      case "reasoning-end":
        this.#about(part.id, part.providerMetadata);
        return [];
      case "file":
        this.#content.push({ type: "file", data: part.file.base64, mediaType: part.file.mediaType });
        return [];
      case "tool-call":
        return this.#call(part);
      case "tool-result":
        return part.preliminary === true ? [] : this.#answered(part, jsonify(part.output), {});
      case "tool-error":
        return this.#answered(part, toolErrorOutput(part.error), { isError: true });
      case "finish-step":
        return this.#finish(part.usage);
      default:
        return [];
    }
  }

  /** The results of a step that is cut off. */
  rest(): readonly AgentEvent[] {
    return this.#results.splice(0);
  }

  #answered(call: Called, output: Json, failed: { readonly isError?: true }): readonly AgentEvent[] {
    const { toolCallId, toolName, providerExecuted } = call;
    // The provider ran this call itself: its result is part of the content.
    if (providerExecuted === true) {
      const value = { type: failed.isError === true ? "error-json" : "json", value: output };
      this.#content.push({ type: "tool-result", toolCallId, toolName, output: value });
      return [];
    }
    this.#results.push({ type: "tool-result", toolCallId, toolName, output, ...failed });
    return [];
  }

  #grow(type: "text" | "reasoning", id: string, text: string): void {
    const last = this.#content.at(-1);
    if (last?.type === type && last.id === id) last.text = (last.text ?? "") + text;
    else this.#content.push({ type, id, text });
  }

  #about(id: string, providerMetadata: object | undefined): void {
    const part = this.#content.findLast((one) => one.id === id);
    if (part !== undefined && providerMetadata !== undefined)
      part.providerOptions = jsonify(providerMetadata);
  }

  /** A call that the provider runs itself is part of the content, and no event. */
  #call(part: Extract<TextStreamPart<ToolSet>, { type: "tool-call" }>): readonly AgentEvent[] {
    const { toolCallId, toolName, providerMetadata, providerExecuted } = part;
    const input = jsonify(part.input);
    const about = providerMetadata === undefined ? {} : { providerOptions: jsonify(providerMetadata) };
    if (providerExecuted === true) {
      this.#content.push({ type: "tool-call", toolCallId, toolName, input, providerExecuted, ...about });
      return [];
    }
    // Before the call: a call must not be stored without the content that came with it.
    const kept = this.#kept();
    this.#content.push({ type: "tool-call", toolCallId, toolName, input, ...about });
    return [...kept, { type: "tool-call", toolCallId, toolName, input }];
  }

  #finish(usage: {
    readonly inputTokens: number | undefined;
    readonly outputTokens: number | undefined;
  }): AgentEvent[] {
    const kept = this.#kept();
    this.#content.length = 0;
    const { inputTokens = 0, outputTokens = 0 } = usage;
    return [...kept, ...this.rest(), { type: "usage", usage: { inputTokens, outputTokens } }];
  }

  /** The content as metadata, unless the events themselves have all of it. */
  #kept(): readonly AgentEvent[] {
    const isPlain = this.#content.every(
      ({ type, providerOptions, providerExecuted }) =>
        type !== "file" &&
        type !== "tool-result" &&
        providerOptions === undefined &&
        providerExecuted === undefined,
    );
    return isPlain ? [] : [{ type: "metadata", metadata: keptContent(this.#content) }];
  }
}

interface Called {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly providerExecuted?: boolean | undefined;
}
