import type { Certificate } from "./certificate.js";

/** How a server is started. */
export interface ServerOptions {
  /** Whether it keeps what it is told, and when that is on disk. Without, a restart finds nothing. */
  readonly aof?: "always" | "everysec";
  /** Further lines of its configuration, as `redis.conf` has them. */
  readonly config?: readonly string[];
  /** ACL rules, each beginning with the user's name: `app on >secret ~chat:* +get`. */
  readonly users?: readonly string[];
  /** Where its folder is made (default: where temporary files go). */
  readonly parent?: string;
  /** Encrypts: plain connections are refused. */
  readonly tls?: Certificate;
}

/** The lines of a server's configuration. */
export function configuration(options: ServerOptions, port: number, certificateFiles: string): string[] {
  const { aof, config = [], users = [], tls } = options;
  return [
    ...(tls === undefined ? [`port ${port}`] : tlsLines(port, certificateFiles)),
    "bind 127.0.0.1",
    // Nothing is written but what `aof` asks for: a snapshot in the background would make a restart a matter of luck.
    'save ""',
    ...(aof === undefined ? [] : ["appendonly yes", `appendfsync ${aof}`]),
    // A replica that has to copy everything does so at once.
    "repl-diskless-sync-delay 0",
    ...users.map((user) => `user ${user}`),
    ...config,
  ];
}

function tlsLines(port: number, files: string): string[] {
  return [
    "port 0",
    `tls-port ${port}`,
    `tls-cert-file ${files}/cert.pem`,
    `tls-key-file ${files}/key.pem`,
    `tls-ca-cert-file ${files}/cert.pem`,
    "tls-auth-clients no",
  ];
}
