import { conformance } from "@sessions/conformance";
import { clusterPlace } from "./redis-place.js";
import { sharedCluster } from "./servers.js";

const cluster = await sharedCluster();
await conformance({ name: "redis cluster", place: () => clusterPlace(cluster) });
