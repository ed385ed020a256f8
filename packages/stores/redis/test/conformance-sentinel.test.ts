import { conformance, sections } from "@sessions/conformance";

import { sentinelPlaces } from "./redis-place.js";
import { sharedReplicated } from "./servers.js";

/** What Sentinels and a replica that confirms each commit can change: the connection, acknowledgements, what is lost, what is told of it. */
const OWN = new Set([
  "addMessage",
  "close",
  "closed",
  "commit",
  "concurrency",
  "deleteSession",
  "describe",
  "exactly once",
  "expiry",
  "feed resume",
  "listing",
  "lost data",
  "read-fresh",
  "reported outcomes are true",
  "schema",
  "several processes append",
  "several processes are killed",
  "setChatHistory",
  "turns",
  "unreachable",
  "watch",
]);

const place = sentinelPlaces(await sharedReplicated());
await conformance({
  name: "redis behind Sentinels",
  place,
  coveredElsewhere: sections.map(({ name }) => name).filter((name) => !OWN.has(name)),
});
