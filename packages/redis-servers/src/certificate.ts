import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A key and the certificate that it signed for itself, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

// The few object identifiers that such a certificate needs, in their encoded form.
const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
const SUBJECT_ALTERNATIVE_NAME = Buffer.from("0603551d11", "hex");
const BASIC_CONSTRAINTS = Buffer.from("0603551d13", "hex");

/**
 * Makes a certificate for `localhost` and 127.0.0.1 that is valid from yesterday to tomorrow. By hand, because Node makes
 * none and a machine that has only Node has no `openssl` program.
 */
export function makeCertificate(now: number = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const body = toBeSigned(publicKey, now);
  const signature = sign("sha256", body, privateKey);
  const der = sequence(body, sequence(ECDSA_WITH_SHA256), bitString(signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

function toBeSigned(publicKey: KeyObject, now: number): Buffer {
  const name = sequence(value(0x31, sequence(COMMON_NAME, value(0x0c, Buffer.from("localhost")))));
  const serial = Buffer.concat([Buffer.of(1), randomBytes(8)]);
  return sequence(
    value(0xa0, value(0x02, Buffer.of(2))), // version 3
    value(0x02, serial),
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(time(now - DAY_MS), time(now + DAY_MS)),
    name,
    Buffer.from(publicKey.export({ type: "spki", format: "der" })),
    value(
      0xa3,
      sequence(
        extension(SUBJECT_ALTERNATIVE_NAME, alternativeNames()),
        extension(BASIC_CONSTRAINTS, authority()),
      ),
    ),
  );
}

function alternativeNames(): Buffer {
  return sequence(value(0x82, Buffer.from("localhost")), value(0x87, Buffer.of(127, 0, 0, 1)));
}

/** It is its own authority: that is what clients are told to trust. */
function authority(): Buffer {
  return sequence(value(0x01, Buffer.of(0xff)));
}

function extension(id: Buffer, content: Buffer): Buffer {
  return sequence(id, value(0x04, content));
}

function time(ms: number): Buffer {
  return value(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
}

function bitString(content: Buffer): Buffer {
  return value(0x03, Buffer.concat([Buffer.of(0), content]));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return value(0x30, Buffer.concat(parts));
}

function value(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(count: number): Buffer {
  if (count < 128) return Buffer.of(count);
  return count < 256 ? Buffer.of(0x81, count) : Buffer.of(0x82, count >> 8, count & 0xff);
}
