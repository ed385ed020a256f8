/** The stores that `--store` selects by name. Each module exports what `ChaosStore` says. */
export const stores: Readonly<Record<string, URL>> = {
  "json-file": new URL("./json-file.js", import.meta.url),
  redis: new URL("./redis.js", import.meta.url),
  sqlite: new URL("./sqlite.js", import.meta.url),
};
