/** A symbolic link that leads nowhere: something is there by name, so it is not absent, and it cannot be read either. */
export class DanglingLink extends Error {
  constructor(path: string) {
    super(`${path} is a link that leads nowhere`);
  }
}
