import { conformance } from "@sessions/conformance";
import { redisPlace } from "./redis-place.js";

await conformance({ name: "redis", place: redisPlace });
