import { conformance, sections } from "@sessions/conformance";

import { sentinelPlaces } from "./redis-place.js";
import { sharedReplicated } from "./servers.js";

/** What Sentinels and a replica that confirms each commit can change: the connection, acknowledgements, what is lost, what is told of it. */
const OWN = new Set([
  "addMessage",
  "close",
  "commit",
  "concurrency",
  "deleteSession",
  "describe",
  "expiry",
  "feed resume",
  "lost data",
  "read-fresh",
  "reported outcomes are true",
  "schema",
  "several processes append",
  "several processes are killed",
  "setChatHistory",
  "unreachable",
  "watch",
]);

/** The others run in conformance.test.ts. */
const isWhole = process.env["SESSIONS_WHOLE_KIT"] !== undefined;

const place = sentinelPlaces(await sharedReplicated());
await conformance({
  name: "redis behind Sentinels",
  place,
  coveredElsewhere: sections.map(({ name }) => name).filter((name) => !isWhole && !OWN.has(name)),
});
