import { SessionError } from "@sessions/protocol";
import type { Warnings } from "../../warnings.js";
import type { FileSystemProbe, ProbedFileSystem } from "./file-system-probe.js";
import { networkFileSystemOf } from "./network-file-system.js";

/** How a store's folder is checked. */
export interface FileSystemCheck {
  readonly probe: FileSystemProbe;
  /** Whether to warn instead of refusing. */
  readonly allowNetwork: boolean;
  readonly warnings: Warnings;
}

/**
 * Refuses a folder on a network file system. Appends of two machines may overwrite each other there, and the store
 * would not notice.
 */
export function checkFileSystem(root: string, check: FileSystemCheck): void {
  const probed = probedOrWarned(root, check);
  const network = probed === undefined ? undefined : networkFileSystemOf(probed.type, probed.mountFsType);
  if (network === undefined) return;
  const message = `${root} is on a network file system (${network}), where acknowledged commits can be lost.`;
  // Not STORE_UNAVAILABLE: a retry does not help, another folder or another option does.
  if (!check.allowNetwork) throw refusal(message);
  check.warnings.give({ code: "NETWORK_FILE_SYSTEM", message, path: root });
}

function refusal(message: string): SessionError {
  const hint =
    "Use a local folder, or a store with a server. To take the risk: allowNetworkFileSystem: true.";
  return SessionError.of("INVALID_ARGUMENT", `${message} ${hint}`, { path: "options.root" });
}

function probedOrWarned(root: string, { probe, warnings }: FileSystemCheck): ProbedFileSystem | undefined {
  try {
    return probe(root);
  } catch (cause) {
    const message = `It is unknown whether ${root} is on a network file system (see the cause). Make sure that it is not.`;
    warnings.give({ code: "FILE_SYSTEM_UNKNOWN", message, path: root, cause });
    return undefined;
  }
}
