import { conformance } from "@sessions/conformance";
import { folderPlace } from "./folder-place.js";

await conformance({ name: "json-file", place: () => folderPlace() });
