/** `startedAt` tells two processes apart that were given the same id one after the other. */
export declare function lookUp(
  pid: number,
): { readonly zombie: boolean; readonly startedAt: string; readonly parent: number } | undefined;

/** True while the process can still do anything; a zombie cannot. */
export declare function isRunning(pid: number): boolean;
