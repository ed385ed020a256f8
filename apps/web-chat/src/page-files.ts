import { readFile } from "node:fs/promises";

/** Nothing is loaded from elsewhere, no text becomes code, and no other site may embed the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Paths, with the files of `dist/` and their types. */
const FILES: ReadonlyMap<string, readonly [name: string, type: string]> = new Map([
  ["/", ["index.html", "text/html; charset=utf-8"]],
  ["/page.js", ["page.js", "text/javascript; charset=utf-8"]],
  ["/style.css", ["style.css", "text/css; charset=utf-8"]],
  ["/favicon.svg", ["favicon.svg", "image/svg+xml"]],
]);

/** A file of the page; `undefined` if there is none under this path. */
export async function pageFile(request: Request): Promise<Response | undefined> {
  const [name, type] = FILES.get(new URL(request.url).pathname) ?? [];
  if (name === undefined || type === undefined) return undefined;
  const text = await readFile(new URL(name, import.meta.url), "utf8");
  const headers = { "content-type": type, "cache-control": "no-cache", "content-security-policy": POLICY };
  return new Response(name === "index.html" ? withTheme(text, request) : text, { headers });
}

/** The page is sent in the theme that its user chose, so that it does not flash in the other one. */
function withTheme(html: string, { headers }: Request): string {
  const [, theme] = /(?:^|;\s*)theme=(dark|light)(?:;|$)/.exec(headers.get("cookie") ?? "") ?? [];
  return theme === undefined ? html : html.replace("<html ", `<html data-theme="${theme}" `);
}
