export { Gate } from "./gate.js";
export { memoryPlace } from "./memory-place.js";
export { openStore, type StorePlace } from "./open-store.js";
export { type Line, OtherProcess } from "./other-process.js";
export { type Place, placeOf } from "./place.js";
export { type SharedPlace, sharedKinds, sharedPlace } from "./shared-place.js";
export { type StoreKind, storeKinds } from "./store-kinds.js";
export { temporaryFolder } from "./temporary-folder.js";
