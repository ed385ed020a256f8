import { conformance } from "@sessions/conformance";
import { clusterPlaces } from "./redis-place.js";
import { sharedCluster } from "./servers.js";

/** Sections that do not depend on where keys lie. They run in conformance.test.ts, and here with SESSIONS_WHOLE_KIT=1. */
const ELSEWHERE = [
  "abort signals",
  "all or nothing",
  "base merges",
  "bounded",
  "closed",
  "corruption",
  "exactly once",
  "fencing",
  "fidelity",
  "foreign bundles",
  "getContext",
  "hostile options",
  "identity",
  "limits",
  "message ids",
  "missing part",
  "no lost update",
  "pair-safety",
  "repeated reads of damage",
  "revisions and preconditions",
  "session",
  "several processes take turns",
  "turns",
  "unreachable",
];

const place = clusterPlaces(await sharedCluster());
await conformance({
  name: "redis cluster",
  place,
  coveredElsewhere: process.env["SESSIONS_WHOLE_KIT"] === undefined ? ELSEWHERE : [],
});
