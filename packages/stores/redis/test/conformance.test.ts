import { conformance } from "@sessions/conformance";
import { serverPlaces } from "./redis-place.js";
import { sharedServer } from "./servers.js";

const place = serverPlaces(await sharedServer());
await conformance({ name: "redis", place });
