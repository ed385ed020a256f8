import { RedisServer } from "./redis-server.js";
import { configuration, type ServerOptions } from "./server-options.js";

/** Starts one server. */
export function startServer(options: ServerOptions = {}): Promise<RedisServer> {
  const { tls, parent } = options;
  return RedisServer.start({
    configure: (port, folder) => configuration(options, port, folder),
    ...(parent === undefined ? {} : { parent }),
    ...(tls === undefined ? {} : { files: { "cert.pem": tls.cert, "key.pem": tls.key }, ca: tls.cert }),
  });
}
