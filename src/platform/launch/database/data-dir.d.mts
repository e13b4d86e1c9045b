export declare function createDataDir(dataDir: string): void;
