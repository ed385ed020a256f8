import { invalid } from "./invalid.js";
import { Secrets } from "./secrets.js";

/** The parts of a store URL. */
export interface StoreUrl {
  readonly scheme: string;
  /** The text between the scheme and the query, not decoded. */
  readonly address: string;
  readonly query: ReadonlyMap<string, string>;
}

const SHAPE = /^([a-z][a-z0-9+.-]+):([^?]*)(?:\?(.*))?$/is;

/** The user and password of an address with hosts. */
const USER = /^\/\/([^@]*(?:@[^@/]*)*)@/;

/** The secrets of a URL, even of a wrong one. */
export function secretsIn(url: string): Secrets {
  // From the first colon after the slashes to the last @, because a password that is not encoded may contain any character.
  const [, user = ""] = /^[^:]*:\/\/(.*)@/s.exec(url) ?? [];
  const [, password = ""] = /^[^:]*:(.*)$/s.exec(user) ?? [];
  const queried = [...url.matchAll(/[?&][^=&]*(?:password|secret|token)[^=&]*=([^&]*)/gi)].map(
    ([, value = ""]) => value,
  );
  return new Secrets([password, ...queried].filter((secret) => secret !== ""));
}

/** Parses a URL. Throws INVALID_ARGUMENT without secrets if it is wrong. */
export function parseStoreUrl(url: string, path: string): StoreUrl {
  const [, scheme, address, query] = SHAPE.exec(url) ?? [];
  if (scheme === undefined || address === undefined) throw noUrl(url, path);
  if (address.startsWith("//") && !USER.test(address) && query?.includes("@")) {
    throw invalid(
      path,
      "has an @ after its ?. Write a ? in a password as %3F, and an @ in an option as %40.",
    );
  }
  return { scheme: scheme.toLowerCase(), address, query: parsedQuery(query ?? "", path) };
}

/** The path after the scheme, with `%20` and the like decoded. */
export function pathOf({ scheme, address }: StoreUrl, path: string): string {
  const bare = address.replace(/^\/\/(?=\/)/, "");
  if (bare.startsWith("//"))
    throw invalid(path, `names a host. Write ${scheme}:./path or ${scheme}:///absolute/path.`);
  if (bare === "") throw invalid(path, `has no path. Write ${scheme}:./path.`);
  return decodedText(bare, path);
}

/** The parts of an address with hosts. */
export interface HostsAddress {
  readonly username?: string;
  readonly password?: string;
  readonly hosts: readonly { readonly host: string; readonly port?: number }[];
  /** The parts of the path after the hosts. */
  readonly parts: readonly string[];
}

/** Parses `//user:password@host:1,host:2/part/part`. */
export function hostsOf({ address }: StoreUrl, path: string): HostsAddress {
  const [whole = "", user] = USER.exec(address) ?? [];
  const [hosts = "", ...parts] = address.slice(whole.length).replace(/^\/\//, "").split("/");
  return {
    ...(user === undefined ? {} : userOf(user, path)),
    hosts: hosts.split(",").map((host) => hostOf(host, path)),
    parts: parts.filter((part) => part !== "").map((part) => decodedText(part, path)),
  };
}

function userOf(user: string, path: string): Pick<HostsAddress, "username" | "password"> {
  const [, name = "", password] = /^([^:]*)(?::(.*))?$/s.exec(user) ?? [];
  return {
    ...(name === "" ? {} : { username: decodedText(name, path) }),
    ...(password === undefined ? {} : { password: decodedText(password, path) }),
  };
}

function hostOf(text: string, path: string): { readonly host: string; readonly port?: number } {
  const [, ipv6, name, port] = /^(?:\[([0-9a-f:]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined) throw invalid(path, "has no valid host. Write it as host:port.");
  return { host, ...(port === undefined ? {} : { port: Number(port) }) };
}

function parsedQuery(query: string, path: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (options.has(name)) throw invalid(path, `names the option "${name}" twice.`);
    options.set(name, value);
  }
  return options;
}

function decodedText(text: string, path: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    // Without the cause, which shows the text: it may be a password.
    throw invalid(path, "has a % that does not stand for a character. Write the % itself as %25.");
  }
}

function noUrl(url: string, path: string): Error {
  const looksLikePath = /^[./~]|^[a-z]:\\|\.\w+$/i.test(url) && !url.includes("@");
  const which = /\.(db|sqlite3?)$/i.test(url) ? "sqlite" : "file";
  const hint = looksLikePath ? ` For a path, write ${which}:${url.replaceAll("\\", "/")}.` : "";
  return invalid(path, `is not the URL of a store, such as file:./sessions or sqlite:./sessions.db.${hint}`);
}
