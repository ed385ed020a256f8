/** The token of a turn that begins at this revision. Later turns have greater revisions. */
export function turnToken(revision: number, nonce: string): string {
  return `${revision}.${nonce}`;
}

/** The revision that the turn of a token began with. */
export function startRevisionOf(token: string): number {
  return Number.parseInt(token, 10);
}
