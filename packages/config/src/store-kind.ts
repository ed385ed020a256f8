import { SessionError, type SessionStore } from "@sessions/protocol";
import { checkedOptions } from "./checked-options.js";
import type { OptionRules, OptionsOf } from "./option-rule.js";
import type { StoreTools } from "./store-tools.js";
import type { StoreUrl } from "./store-url.js";

/**
 * What may be made or changed when a store is opened: a store that is not there yet; nothing that is not there; nothing
 * at all, where the store can promise that.
 */
export type OpenMode = "create" | "existing" | "read-only";

/** What a kind of store works with besides its options. */
export interface Surroundings {
  /** Where relative paths begin. */
  readonly base: string;
  readonly mode: OpenMode;
  /** Leads to the target in messages. */
  readonly path: string;
  /**
   * Loads a package: the one in the user's project, else the one that `literal` imports. Hand in a literal `import()`, so
   * that bundlers see it.
   */
  load<Module>(name: string, literal: () => Promise<Module>): Promise<Module>;
}

/** Options by name, not looked at yet. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** A kind of store that `openStore` can open. `storeKind` makes one. */
export interface StoreKind {
  /** As in `{ store: name }`. */
  readonly name: string;
  /** Of its URLs, without the colon. */
  readonly schemes: readonly string[];
  readonly options: OptionRules;
  /** The options that a URL stands for, without those in its query. */
  fromUrl(url: StoreUrl, path: string): GivenOptions;
  /** Where the data is, for messages. Without secrets. */
  locate(options: GivenOptions, around: Surroundings): string;
  /** Whether there is a store already; `undefined` where only opening it can tell. Makes nothing. */
  exists(options: GivenOptions, around: Surroundings): boolean | undefined;
  open(options: GivenOptions, around: Surroundings): Promise<SessionStore>;
  /** What can be done with the data beyond what every store can do. */
  tools(options: GivenOptions, around: Surroundings): Promise<StoreTools>;
}

/** A kind of store, written against options whose types are known. */
export interface StoreKindDefinition<Rules extends OptionRules> {
  readonly name: string;
  readonly schemes: readonly string[];
  readonly options: Rules;
  fromUrl(url: StoreUrl, path: string): OptionsOf<Rules>;
  locate(options: OptionsOf<Rules>, around: Surroundings): string;
  /** Absent: only opening it can tell. */
  exists?(options: OptionsOf<Rules>, around: Surroundings): boolean;
  /** Opens it. A store that is not there is made only in the mode "create"; where `exists` can tell, that is seen to. */
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

/** A typo in a path must not make an empty store that looks like a lost one. */
function requirePresent(exists: boolean | undefined, place: string, mode: OpenMode): void {
  if (exists !== false || mode === "create") return;
  const message = `There is no store at ${place}. Check where it is; nothing was made there.`;
  throw SessionError.of("STORE_UNAVAILABLE", message, {});
}
