/**
 * As much of Markdown as the checks need: fenced blocks, and the text outside of them.
 */
const fence = /^(\s*(?:>\s?)*)(`{3,}|~{3,})\s*(.*)$/;

/**
 * The fenced blocks of a document: `{ info, line, lines }`, where `line` is that of the opening fence, from
 * 1.
 */
export function fencedBlocks(text) {
  return scan(text).blocks;
}

/** The document with every line of a fenced block, fences included, made empty: line numbers stay. */
export function proseLines(text) {
  return scan(text).prose;
}

function scan(text) {
  const blocks = [];
  const prose = [];
  let open;
  for (const [at, line] of text.split("\n").entries()) {
    const [, indent, marks, info] = fence.exec(line) ?? [];
    if (open === undefined && marks) {
      open = { info: info.trim(), line: at + 1, lines: [], marks, indent };
      blocks.push(open);
      prose.push("");
    } else if (open && marks?.startsWith(open.marks) && info.trim() === "") {
      open = undefined;
      prose.push("");
    } else if (open) {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart());
      prose.push("");
    } else {
      prose.push(line);
    }
  }
  return { blocks, prose };
}
