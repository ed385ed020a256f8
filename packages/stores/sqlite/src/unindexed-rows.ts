/**
 * Rows are in blocks of so many. A row that was appended by itself enters the index of message ids when its block is
 * full, or when others are written to its log. So those that are in no index are always in the block of the log's last
 * row, and an append does not write a page of the index each time.
 */
export const BLOCK = 32;

/** Whether a row is the last one of its block. */
export function endsBlock(row: number): boolean {
  return row % BLOCK === BLOCK - 1;
}

interface IndexStatement {
  readonly indexMessages: { readonly run: (from: number, to: number) => unknown };
}

/** Puts the rows before `nextRow` into the index: must be done before more than one is written there. */
export function indexOpenRows({ indexMessages }: IndexStatement, nextRow: number): void {
  const from = nextRow - (nextRow % BLOCK);
  if (from < nextRow) indexMessages.run(from, nextRow);
}
