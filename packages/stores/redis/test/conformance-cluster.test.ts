import { conformance } from "@sessions/conformance";
import { expectedOnClusters } from "./expected-failures.js";
import { clusterPlaces } from "./redis-place.js";
import { sharedCluster } from "./servers.js";

const place = await clusterPlaces(await sharedCluster());
await conformance({ name: "redis cluster", place, expectedFailures: expectedOnClusters });
