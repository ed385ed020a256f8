/** Holds back half a character until its other half comes: a stream may be cut anywhere, an encoder must not see it. */
export class WholeCharacters {
  #half = "";

  take(piece: string): string {
    const text = this.#half + piece;
    this.#half = endsInHalf(text) ? text.slice(-1) : "";
    return text.slice(0, text.length - this.#half.length);
  }

  /** What is left at the end. */
  rest(): string {
    const half = this.#half;
    this.#half = "";
    return half;
  }
}

/** The first of the two code units that an emoji takes. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
