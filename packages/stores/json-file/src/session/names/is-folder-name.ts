/** As `folderName` makes them: letters and bytes, or the hash of a long id. */
const SESSION_NAME = /^(?:(?:[a-z0-9_-]|~[0-9a-f]{2}){1,120}|~h[0-9a-f]{64})$/;

/** Whether a name in the folder of all sessions may be that of a session. Anything else was put there by others. */
export function isFolderName(name: string): boolean {
  return SESSION_NAME.test(name);
}
