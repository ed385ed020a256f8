import type { SessionBackend, SessionStore } from "@sessions/protocol/backend";
import type { Case } from "./case.js";
import type { Harness, Place } from "./harness.js";

/** Runs one case in a new place. Throws what the case throws. */
export async function runCase(harness: Harness, test: Case, seed: number): Promise<void> {
  const places: Place[] = [];
  const opened: (SessionStore | SessionBackend)[] = [];
  const newPlace = async (): Promise<Place> => {
    const place = await harness.place();
    places.push(place);
    return place;
  };
  const keep = async <Opened extends SessionStore | SessionBackend>(
    opening: Promise<Opened>,
  ): Promise<Opened> => {
    const resource = await opening;
    opened.push(resource);
    return resource;
  };
  try {
    const place = await newPlace();
    const open = (): Promise<SessionStore> => keep(place.open());
    const openBackend = (): Promise<SessionBackend> => keep(place.openBackend());
    const openElsewhere = async (): Promise<SessionStore> => keep((await newPlace()).open());
    await test.run(await open(), { place, open, openBackend, newPlace, openElsewhere, seed });
  } finally {
    await Promise.allSettled(opened.map((resource) => resource.close()));
    await Promise.all(places.map((place) => place.cleanup()));
  }
}
