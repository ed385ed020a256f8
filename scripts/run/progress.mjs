/**
 * One line that says what is going on: rewritten and then removed in a terminal, a single "preparing …"
 * elsewhere.
 */
export function progress(title, out = process.stderr) {
  if (!out.isTTY) out.write(`${title} …\n`);
  const line = (text) => out.isTTY && out.write(`\r\x1b[2K${text}`);
  return { say: (step) => line(`${title}: ${step} …`), done: () => line("") };
}
