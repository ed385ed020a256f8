import type { SummaryRecord } from "../../backend/session-backend.js";
import type { StoreContext } from "../../context/store-context.js";

/** Sessions that were forked from this id, from any incarnation of it. */
export async function* forksOf(context: StoreContext, parent: string): AsyncGenerator<SummaryRecord> {
  let cursor: string | undefined;
  do {
    const page = await context.backend.list({
      parent,
      order: "created-asc",
      limit: 200,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
