/** Sends one signal after the other, each with its patience in milliseconds, until the process has ended. */
export declare function endProcess(pid: number, steps: readonly [NodeJS.Signals, number][]): Promise<void>;
