import type { Section } from "./case.js";
import type { Harness } from "./harness.js";

/**
 * The sections with the cases that apply to this store. The others are not registered. Where a store declares that it
 * lacks something, another case checks the declaration.
 */
export async function applicable(
  harness: Harness,
  sections: readonly Section[],
): Promise<readonly Section[]> {
  const place = await harness.place();
  try {
    const store = await place.open();
    try {
      return sections
        .map((section) => ({
          ...section,
          cases: section.cases.filter((one) => one.applies?.(store, place) ?? true),
        }))
        .filter((section) => section.cases.length > 0);
    } finally {
      await store.close();
    }
  } finally {
    await place.cleanup();
  }
}
