import type { MessageInput } from "@sessions/protocol";
import type { OperationContext } from "./operation-context.js";

const KIB = 1024;

/** A new message id. It includes the size of the message, so that a message can be sent again from the log. */
export function newMessageId({ name, next, random }: OperationContext): string {
  const large = random.chance(0.01) ? `x${random.between(65, 160)}` : "";
  return `${name}.${next()}${large}`;
}

/** The message of an id. The same id always gives the same message. */
export function messageOf(id: string): MessageInput & { readonly id: string } {
  const [, kib = "0"] = /x(\d+)$/.exec(id) ?? [];
  return { id, role: "user", content: `message ${id} `.padEnd(Number(kib) * KIB, "lorem ipsum ") };
}
