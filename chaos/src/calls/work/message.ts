import type { MessageInput } from "@sessions/protocol";
import type { WorkContext } from "./work-context.js";

const KIB = 1024;

/** A new message id. It tells how large the message is, so that who finds the id in a log can send it again. */
export function newMessageId({ name, next, random }: WorkContext): string {
  const large = random.chance(0.01) ? `x${random.between(65, 160)}` : "";
  return `${name}.${next()}${large}`;
}

/** The message of an id: always the same one. */
export function messageOf(id: string): MessageInput & { readonly id: string } {
  const [, kib = "0"] = /x(\d+)$/.exec(id) ?? [];
  return { id, role: "user", content: `message ${id} `.padEnd(Number(kib) * KIB, "lorem ipsum ") };
}
