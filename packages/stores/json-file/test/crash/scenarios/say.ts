/** A message that says who it is. */
export function say(
  id: string,
  content: string = `this is ${id}`,
): { readonly id: string; readonly role: "user"; readonly content: string } {
  return { id, role: "user", content };
}
