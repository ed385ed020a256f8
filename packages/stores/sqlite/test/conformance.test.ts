import { conformance } from "@sessions/conformance";
import { filePlace } from "./file-place.js";

await conformance({ name: "sqlite", place: () => filePlace({ search: true }) });
