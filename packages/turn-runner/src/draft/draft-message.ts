import {
  append,
  type ContentPart,
  type ExtendInput,
  extend,
  type JsonObject,
  type OperationInput,
} from "@sessions/protocol";
import { markTurn } from "../history/turn-marks.js";

/** An addition to a message: text of one kind, or a whole part. */
type Piece =
  | { readonly kind: "reasoning" | "text"; readonly chunks: string[] }
  | { readonly kind: "part"; readonly part: ContentPart };

/** The order in which the fields of one extension take effect. */
const ORDER = { reasoning: 0, text: 1, part: 2 } as const;

/** An assistant message that is being written: collects additions and turns them into operations. */
export class DraftMessage {
  readonly id: string;
  readonly #turnId: string;
  #pieces: Piece[] = [];
  #metadata: JsonObject | undefined;
  #isAppended = false;

  constructor(id: string, turnId: string) {
    this.id = id;
    this.#turnId = turnId;
  }

  addText(kind: "reasoning" | "text", text: string): void {
    const last = this.#pieces.at(-1);
    // Chunks are joined once, in `take`: the cost of a delta does not grow with the message.
    if (last?.kind === kind) last.chunks.push(text);
    else this.#pieces.push({ kind, chunks: [text] });
  }

  addPart(part: ContentPart): void {
    this.#pieces.push({ kind: "part", part });
  }

  addMetadata(metadata: JsonObject): void {
    this.#metadata = { ...this.#metadata, ...metadata };
  }

  /** Operations for the additions since the last call. The first call appends the message itself. */
  take(status?: "complete"): OperationInput[] {
    const pieces = this.#pieces;
    const metadata = this.#metadata;
    this.#pieces = [];
    this.#metadata = undefined;
    if (!this.#isAppended) {
      this.#isAppended = true;
      const draft = status === "complete" ? {} : ({ status: "partial" } as const);
      const message = { id: this.id, role: "assistant", content: contentOf(pieces), ...draft };
      return [append(markTurn(this.#turnId, { ...message, metadata }))];
    }
    const additions = additionsOf(pieces);
    if (metadata !== undefined) addToLast(additions, { metadata });
    if (status === "complete") addToLast(additions, { status });
    return additions.map((addition) => extend(this.id, addition));
  }
}

type Addition = Omit<ExtendInput, "op" | "messageId">;

/** Plain text stays a string, as in most messages. */
function contentOf(pieces: readonly Piece[]): string | readonly ContentPart[] {
  const [only] = pieces;
  return pieces.length === 1 && only?.kind === "text" ? only.chunks.join("") : pieces.map(partOf);
}

function partOf(piece: Piece): ContentPart {
  return piece.kind === "part" ? piece.part : { type: piece.kind, text: piece.chunks.join("") };
}

/** The fewest extensions that keep the order of the pieces. */
function additionsOf(pieces: readonly Piece[]): Addition[] {
  const additions: Addition[] = [];
  let lastOrder: number = ORDER.part + 1;
  for (const piece of pieces) {
    const order = ORDER[piece.kind];
    const fitsLast = order > lastOrder || (piece.kind === "part" && order === lastOrder);
    const last = fitsLast ? additions.pop() : undefined;
    additions.push({ ...last, ...additionOf(piece, last) });
    lastOrder = order;
  }
  return additions;
}

function additionOf(piece: Piece, last: Addition | undefined): Addition {
  if (piece.kind === "part") return { parts: [...(last?.parts ?? []), piece.part] };
  return { [piece.kind]: piece.chunks.join("") };
}

function addToLast(additions: Addition[], more: Addition): void {
  additions.push({ ...additions.pop(), ...more });
}
