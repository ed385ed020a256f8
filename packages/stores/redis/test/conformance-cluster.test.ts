import { conformance } from "@sessions/conformance";
import { clusterPlaces } from "./redis-place.js";
import { sharedCluster } from "./servers.js";

const place = await clusterPlaces(await sharedCluster());
await conformance({ name: "redis cluster", place });
