// What authors of integrations use, beside everything that users of a store see.

export { type OptionNames, requireOptions } from "./arguments/options.js";
export { suggestion } from "./arguments/suggestion.js";
export { createUuidV7 } from "./ids/uuid-v7.js";
export * from "./index.js";
export { equalJson } from "./json/equal-json.js";
export { combinedTurnError } from "./turns/combined-turn-error.js";
export { requireStore } from "./validate/require-store.js";
