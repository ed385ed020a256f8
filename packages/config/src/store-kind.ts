import { SessionError, type SessionStore } from "@sessions/protocol";
import { checkedOptions } from "./checked-options.js";
import type { OptionRules, OptionsOf } from "./option-rule.js";
import type { StoreTools } from "./store-tools.js";
import type { StoreUrl } from "./store-url.js";

/**
 * How a store is opened: `create` may create it, `existing` may not, and `read-only` changes nothing, as far as the store can
 * guarantee that.
 */
export type OpenMode = "create" | "existing" | "read-only";

/** What a kind of store works with, besides its options. */
export interface Surroundings {
  /** The folder for relative paths. */
  readonly base: string;
  readonly mode: OpenMode;
  /** The path of the target in messages. */
  readonly path: string;
  /**
   * Loads a package: that of the user's project, else the one that `literal` imports. Pass a literal `import()`, so that
   * bundlers find it.
   */
  load<Module>(name: string, literal: () => Promise<Module>): Promise<Module>;
}

/** Unchecked options, by name. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** A kind of store that `openStore` can open. `storeKind` makes one. */
export interface StoreKind {
  /** The name in `{ store: name }`. */
  readonly name: string;
  /** The schemes of its URLs, without the colon. */
  readonly schemes: readonly string[];
  readonly options: OptionRules;
  /** Converts a URL to options, without those in its query. */
  fromUrl(url: StoreUrl, path: string): GivenOptions;
  /** The location of the data for messages, without secrets. */
  locate(options: GivenOptions, around: Surroundings): string;
  /** Whether the store exists; `undefined` if only opening it shows. Creates nothing. */
  exists(options: GivenOptions, around: Surroundings): boolean | undefined;
  open(options: GivenOptions, around: Surroundings): Promise<SessionStore>;
  /** Functions on the data that not every store has. */
  tools(options: GivenOptions, around: Surroundings): Promise<StoreTools>;
}

/** A kind of store with typed options. */
export interface StoreKindDefinition<Rules extends OptionRules> {
  readonly name: string;
  readonly schemes: readonly string[];
  readonly options: Rules;
  fromUrl(url: StoreUrl, path: string): OptionsOf<Rules>;
  locate(options: OptionsOf<Rules>, around: Surroundings): string;
  /** Absent: only opening the store shows whether it exists. */
  exists?(options: OptionsOf<Rules>, around: Surroundings): boolean;
  /** Opens the store. Creates it only in the mode "create". If there is `exists`, it was called before. */
  open(options: OptionsOf<Rules>, around: Surroundings): Promise<SessionStore>;
  tools?(options: OptionsOf<Rules>, around: Surroundings): Promise<StoreTools>;
}

/**
 * Makes a kind of store of your own: `openStore(target, { stores: [kind] })` opens it, and so does a config file that lists it.
 *
 * @example
 * ```ts
 * import { openMemoryStore } from "@sessions/memory";
 *
 * const ours = storeKind({
 *   name: "ours",
 *   schemes: ["ours"],
 *   options: { region: text("the name of a region") },
 *   fromUrl: ({ address }) => ({ region: address.replace("//", "") }),
 *   locate: ({ region }) => `ours://${region}`,
 *   open: async () => openMemoryStore(),
 * });
 * const store = await openStore("ours://north", { stores: [ours] });
 * ```
 */
export function storeKind<Rules extends OptionRules>(definition: StoreKindDefinition<Rules>): StoreKind {
  const { options: rules } = definition;
  const checked = (given: GivenOptions, path: string): OptionsOf<Rules> => checkedOptions(rules, given, path);
  return {
    name: definition.name,
    schemes: definition.schemes,
    options: rules,
    fromUrl: (url, path) => definition.fromUrl(url, path),
    locate: (given, around) => definition.locate(checked(given, around.path), around),
    exists: (given, around) => definition.exists?.(checked(given, around.path), around),
    open: async (given, around) => {
      const options = checked(given, around.path);
      requirePresent(definition.exists?.(options, around), definition.locate(options, around), around.mode);
      return definition.open(options, around);
    },
    tools: async (given, around) => (await definition.tools?.(checked(given, around.path), around)) ?? {},
  };
}

/** Refuses a store that does not exist, so that a typo in a path does not create an empty one. */
function requirePresent(exists: boolean | undefined, place: string, mode: OpenMode): void {
  if (exists !== false || mode === "create") return;
  const message = `There is no store at ${place}. Nothing was created. Check the path, and the folder that it begins from.`;
  throw SessionError.of("STORE_UNAVAILABLE", message, {});
}
