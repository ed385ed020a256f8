/** Holds back a high surrogate until its low surrogate comes, because an encoder would replace a lone one. */
export class WholeCharacters {
  #half = "";

  take(piece: string): string {
    const text = this.#half + piece;
    this.#half = endsInHalf(text) ? text.slice(-1) : "";
    return text.slice(0, text.length - this.#half.length);
  }

  /** Returns what was held back, at the end. */
  rest(): string {
    const half = this.#half;
    this.#half = "";
    return half;
  }
}

/** Whether a text ends with a high surrogate. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
