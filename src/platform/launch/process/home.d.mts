/** Where a database goes that the unprivileged account cannot reach in DATA_DIR. */
export declare const defaultHomes: string;
