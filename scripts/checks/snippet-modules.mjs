import { fencedBlocks } from "./markdown.mjs";
import { snippetInfo } from "./snippet-info.mjs";

/**
 * The modules that the TypeScript fences of a document make, as `{ name, lines, run }`, and what is wrong
 * with the fences. A module's lines are at the numbers that they have in the document, so that an error in
 * one is an error in the other.
 */
export function snippetModules(text) {
  const modules = [];
  const findings = [];
  for (const block of fencedBlocks(text)) {
    try {
      addBlock(modules, block, snippetInfo(block.info));
    } catch (error) {
      findings.push({ line: block.line, problem: error.message });
    }
  }
  return { modules, findings };
}

function addBlock(modules, block, options) {
  if (options === undefined || options.noCheck !== undefined) return;
  const module = options.continues ? modules.at(-1) : newModule(modules, block, options);
  if (module === undefined) throw new Error("continues what? No TypeScript fence comes before it");
  module.run ||= options.run === true;
  while (module.lines.length < block.line) module.lines.push("");
  module.lines.push(...block.lines);
}

function newModule(modules, block, { title }) {
  const name = title ?? `line-${block.line}.ts`;
  if (modules.some((module) => module.name === name))
    throw new Error(`there is a ${name} on this page already`);
  const module = { name, line: block.line, lines: [], run: false };
  modules.push(module);
  return module;
}
