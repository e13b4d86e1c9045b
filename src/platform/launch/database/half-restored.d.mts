export declare function restoreMarker(dataDir: string): string;
