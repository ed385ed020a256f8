import { conformance } from "@sessions/conformance";
import { clusterPlaces } from "./redis-place.js";
import { sharedCluster } from "./servers.js";

const place = clusterPlaces(await sharedCluster());
// Sections that do not depend on where keys lie run in conformance.test.ts alone.
await conformance({
  name: "redis cluster",
  place,
  coveredElsewhere: [
    "abort signals",
    "base merges",
    "closed",
    "exactly once",
    "fidelity",
    "foreign bundles",
    "getContext",
    "hostile options",
    "limits",
    "message ids",
    "pair-safety",
    "session",
    "several processes take turns",
    "turns",
    "unreachable",
  ],
});
