/** An error that the user can act on: one line without a stack, exit code 1. */
export class LaunchError extends Error {
  /** @param {string} line what is wrong and what to do about it */
  constructor(line) {
    super(line);
    this.name = 'LaunchError';
  }
}
