/** Where the database lies and who runs it. */
export interface Place {
  readonly cluster: string;
  /** The account that owns its files, when root lends PostgreSQL one. */
  readonly account?: { readonly uid: number; readonly gid: number };
  /** Set when it lies outside DATA_DIR, where DATA_DIR/postgres has yet to become a link to it. */
  readonly home?: string;
}

export declare function findPlace(dataDir: string, homes: string, log: (line: string) => void): Place;
