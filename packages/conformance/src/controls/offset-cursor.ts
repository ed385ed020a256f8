import type { Page, SessionBackend, SummaryRecord } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Counts how many were listed, and goes on from that number. */
export const offsetCursor: Control = {
  name: "cursor by offset",
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
