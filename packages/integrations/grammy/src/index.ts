export type { SequentializeOptions, StorageOptions } from "./options.js";
export { sequentialize } from "./sequentialize.js";
export { storage } from "./storage.js";
