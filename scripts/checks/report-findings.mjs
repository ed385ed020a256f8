import { root } from "../root.mjs";

/** Ends a check script: prints each finding, or how much was checked, and sets the exit code. */
export function reportFindings({ findings, looked }) {
  for (const finding of findings) console.error(finding);
  console.log(findings.length === 0 ? `ok: ${looked}` : `${findings.length} found in ${looked}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}

/**
 * Whether a module is the script that was started, and not one that a test imports. Then the repository is
 * checked.
 */
export function runCheck(meta, check) {
  if (process.argv[1] === meta.filename) reportFindings(check(root));
}
