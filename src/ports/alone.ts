/**
 * Does work that nodes of one database must not do at the same time. Whoever finds another at it goes on without; what
 * somebody leaves who dies is free at once.
 * @param what names the work
 * @returns whether it was done here
 */
export type Alone = (what: string, work: () => Promise<void>) => Promise<boolean>;
