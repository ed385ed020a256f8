import type { Page, SessionBackend, SummaryRecord } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** A cursor is the number of sessions listed so far. */
export const offsetCursor: Control = {
  name: "list cursor that is an offset",
  caughtBy: "listing",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      list: async ({ cursor = "0", ...query }): Promise<Page<SummaryRecord>> => {
        const all = await everything(backend, query);
        const end = Number(cursor) + query.limit;
        const items = all.slice(Number(cursor), end);
        return end < all.length ? { items, cursor: String(end) } : { items };
      },
    })),
};

async function everything(
  backend: SessionBackend,
  query: Omit<Parameters<SessionBackend["list"]>[0], "cursor">,
): Promise<readonly SummaryRecord[]> {
  const items: SummaryRecord[] = [];
  let page: Page<SummaryRecord> = await backend.list(query);
  for (items.push(...page.items); page.cursor !== undefined; items.push(...page.items)) {
    page = await backend.list({ ...query, cursor: page.cursor });
  }
  return items;
}
