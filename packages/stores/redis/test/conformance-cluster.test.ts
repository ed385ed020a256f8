import { conformance } from "@sessions/conformance";
import { clusterPlaces } from "./redis-place.js";
import { sharedCluster } from "./servers.js";

// Every step asks servers over several nodes: fewer sequences than on one, which has run the same model.
process.env["SESSIONS_MODEL_RUNS"] = process.env["SESSIONS_CLUSTER_MODEL_RUNS"];
const place = await clusterPlaces(await sharedCluster());
await conformance({ name: "redis cluster", place });
