/** DATA_DIR is taken by a living launcher. */
export interface Held {
  readonly holder: number;
  /** Its service has ended by itself and is not back yet. */
  readonly isDown: boolean;
}

export interface Lock {
  /** A service that still runs though its launcher is gone. */
  readonly leftover?: number;
  /** Writes down whom a later launcher would find as `leftover`. */
  noteService(pid: number, isDown?: boolean): void;
  release(): void;
}

export declare function takeLock(dataDir: string): Promise<Held | Lock>;
