/**
 * Lets requests of others be answered during a long computation. A timer, since Deno runs immediates one after the other
 * without looking at its connections in between: with them a body of 64 MB stopped a node for a second.
 */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
