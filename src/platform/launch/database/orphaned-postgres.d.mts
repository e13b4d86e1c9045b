/** Ends whoever serves this data directory. */
export declare function stopLiving(cluster: string): Promise<void>;
