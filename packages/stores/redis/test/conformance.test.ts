import { conformance } from "@sessions/conformance";
import { serverPlace } from "./redis-place.js";
import { sharedServer } from "./servers.js";

const server = await sharedServer();
await conformance({ name: "redis", place: () => serverPlace(server) });
