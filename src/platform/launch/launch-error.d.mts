/** A refusal that the person at the terminal can act on: one line without a stack, exit code 1. */
export declare class LaunchError extends Error {
  constructor(line: string);
}
