import { conformance } from "@sessions/conformance";
import { memoryPlace } from "./memory-place.js";

await conformance({ name: "memory", place: async () => memoryPlace() });
