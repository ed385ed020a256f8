import { requireOptions, type SessionStore, suggestion } from "@sessions/protocol/integration";
import { unknownOption } from "./checked-options.js";
import { DEFAULT_TARGET, type FoundTarget, findTarget } from "./find-target.js";
import { invalid } from "./invalid.js";
import { KINDS } from "./kinds/index.js";
import { loadPackage } from "./load-package.js";
import { OPEN_OPTIONS, type OpenOptions } from "./open-options.js";
import type { OptionRules } from "./option-rule.js";
import type { Project } from "./project.js";
import { Secrets } from "./secrets.js";
import type { GivenOptions, OpenMode, StoreKind, Surroundings } from "./store-kind.js";
import type { StoreTarget } from "./store-target.js";
import type { StoreTools } from "./store-tools.js";
import { parseStoreUrl, secretsIn } from "./store-url.js";

/** A store that was found and is not open yet. */
export interface ResolvedStore {
  /** The kind: `file`, `sqlite`, `redis`, `memory`, or your own. */
  readonly kind: string;
  /** The location of the data, without secrets. */
  readonly location: string;
  /** Where the target was set: "given", "from SESSIONS_STORE", "from /srv/app/sessions.config.ts", "the default". */
  readonly source: string;
  /** Whether the store exists; `undefined` if only opening it shows. Creates nothing. */
  exists(): boolean | undefined;
  /** Opens the store. @default "create" */
  open(mode?: OpenMode): Promise<SessionStore>;
  /** Functions on its data that not every store has. */
  tools(): Promise<StoreTools>;
  /** Removes the secrets of this store from a text. */
  hide(text: string): string;
  /** Removes them from an error and its causes. Returns the same object. */
  hideIn<Thrown>(error: Thrown): Thrown;
}

/** Finds the store and checks its options. Nothing is opened, loaded or created. */
export async function resolveStore(target?: StoreTarget, options: OpenOptions = {}): Promise<ResolvedStore> {
  const given = requireOptions(options, OPEN_OPTIONS);
  const {
    cwd = process.cwd(),
    env = process.env,
    onNotice = notice,
    onWarning,
    stores = [],
    targetName = "target",
  } = given;
  if (!Array.isArray(stores) || !stores.every((kind) => typeof kind === "object" && kind !== null))
    throw invalid("options.stores", "must be a list of kinds of store.");
  const found = await findTarget(target, targetName, cwd, env);
  const secrets = secretsOf(found.target);
  try {
    const kinds = [...stores, ...found.stores, ...KINDS];
    const resolved = new Resolved(found, kinds, secrets, { folder: cwd, env, onWarning });
    if (found.isDefault)
      onNotice(
        `No store is configured, so ${resolved.location} is used. Set SESSIONS_STORE=${DEFAULT_TARGET} to use it without this notice.`,
      );
    return resolved;
  } catch (error) {
    throw secrets.hideIn(error);
  }
}

/** Emits a warning of Node.js: once, on standard error, and not with --no-warnings. */
function notice(message: string): void {
  process.emitWarning(message, { type: "SessionsNotice", code: "SESSIONS_DEFAULT_STORE" });
}

/** The secrets in a target, even if the target is wrong. */
function secretsOf(target: unknown): Secrets {
  if (typeof target === "string") return secretsIn(target);
  if (typeof target !== "object" || target === null) return new Secrets();
  const url = "url" in target && typeof target.url === "string" ? secretsIn(target.url) : new Secrets();
  const named = Object.entries(target).filter(([name]) => /password|secret|token/i.test(name));
  return url.and(new Secrets(named.flatMap(([, value]) => (typeof value === "string" ? [value] : []))));
}

class Resolved implements ResolvedStore {
  readonly kind: string;
  readonly location: string;
  readonly source: string;
  readonly #kind: StoreKind;
  readonly #options: GivenOptions;
  readonly #secrets: Secrets;
  readonly #around: (mode: OpenMode) => Surroundings;

  constructor(
    found: FoundTarget,
    kinds: readonly StoreKind[],
    secrets: Secrets,
    { onWarning, ...project }: Project & Pick<OpenOptions, "onWarning">,
  ) {
    const { kind, options } = understood(found, kinds);
    this.#kind = kind;
    this.#options = "onWarning" in kind.options ? { onWarning, ...options } : options;
    this.#secrets = secrets.and(secretOptions(kind, options));
    this.#around = (mode) => ({
      base: found.base,
      path: found.path,
      mode,
      load: (name, literal) => loadPackage(name, literal, project),
    });
    this.kind = kind.name;
    this.source = found.source;
    this.location = this.hide(kind.locate(options, this.#around("existing")));
  }

  exists(): boolean | undefined {
    return this.#kind.exists(this.#options, this.#around("existing"));
  }

  open(mode: OpenMode = "create"): Promise<SessionStore> {
    return this.#withoutSecrets(() => this.#kind.open(this.#options, this.#around(mode)));
  }

  tools(): Promise<StoreTools> {
    return this.#withoutSecrets(() => this.#kind.tools(this.#options, this.#around("existing")));
  }

  hide(text: string): string {
    return this.#secrets.hide(text);
  }

  hideIn<Thrown>(error: Thrown): Thrown {
    return this.#secrets.hideIn(error);
  }

  async #withoutSecrets<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.#secrets.hideIn(error);
    }
  }
}

interface Understood {
  readonly kind: StoreKind;
  readonly options: GivenOptions;
}

function understood({ target, path }: FoundTarget, kinds: readonly StoreKind[]): Understood {
  if (typeof target === "string") return fromUrl(target, kinds, path);
  if (typeof target !== "object" || target === null || Array.isArray(target))
    throw invalid(
      path,
      'must be a URL such as "file:./sessions", or an object such as { store: "file", root: "./sessions" }.',
    );
  const { store, url, ...options } = target;
  if (url === undefined) return { kind: kindNamed(store, kinds, `${path}.store`), options };
  if (typeof url !== "string") throw invalid(`${path}.url`, "must be a text.");
  const parsed = fromUrl(url, kinds, `${path}.url`);
  if (store !== undefined && parsed.kind !== kindNamed(store, kinds, `${path}.store`))
    throw invalid(`${path}.url`, `is the URL of another kind of store than ${path}.store names.`);
  const twice = Object.keys(options).find((name) => name in parsed.options);
  if (twice !== undefined) throw invalid(`${path}.${twice}`, "is set twice: it is in the url already.");
  return { kind: parsed.kind, options: { ...parsed.options, ...options } };
}

function fromUrl(text: string, kinds: readonly StoreKind[], path: string): Understood {
  const url = parseStoreUrl(text, path);
  const kind = kinds.find(({ schemes }) => schemes.includes(url.scheme));
  const schemes = kinds.flatMap((each) => each.schemes);
  if (kind === undefined) {
    const known = suggestion(url.scheme, schemes) || ` The kinds are ${schemes.join(", ")}.`;
    throw invalid(path, `begins with "${url.scheme}:", which is no kind of store.${known}`);
  }
  const options: Record<string, unknown> = { ...kind.fromUrl(url, path) };
  for (const [name, value] of url.query) {
    const rule = Object.hasOwn(kind.options, name) ? kind.options[name] : undefined;
    if (rule === undefined) throw unknownOption(name, rulesInUrls(kind.options), path);
    if (rule.parse === undefined)
      throw invalid(
        `${path}.${name}`,
        "cannot be given in a URL. Set it in code, with an object in place of the URL.",
      );
    if (name in options) throw invalid(`${path}.${name}`, "is set twice: it is in the address already.");
    options[name] = rule.parse(value);
    if (options[name] === undefined) throw invalid(`${path}.${name}`, `must be ${rule.mustBe}.`);
  }
  return { kind, options };
}

/** The options that a URL can have. */
function rulesInUrls(rules: OptionRules): OptionRules {
  return Object.fromEntries(Object.entries(rules).filter(([, { parse }]) => parse !== undefined));
}

function kindNamed(name: unknown, kinds: readonly StoreKind[], path: string): StoreKind {
  const kind = kinds.find((each) => each.name === name);
  if (kind !== undefined) return kind;
  const names = kinds.map((each) => each.name);
  const known = typeof name === "string" ? suggestion(name, names) : "";
  throw invalid(path, `must be one of ${names.join(", ")}.${known}`);
}

function secretOptions({ options: rules }: StoreKind, options: GivenOptions): Secrets {
  const named = Object.entries(options).filter(([name]) => rules[name]?.secret === true);
  return new Secrets(named.flatMap(([, value]) => (typeof value === "string" ? [value] : [])));
}
