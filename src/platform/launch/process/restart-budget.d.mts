export interface RestartLimits {
  /** Starts at most within `withinMs`. */
  readonly most?: number;
  readonly withinMs?: number;
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** Of starts that fail, where that differs from `patientStarts`. */
  readonly starts?: Omit<RestartLimits, 'starts'>;
}

export declare const patientStarts: RestartLimits;

export interface Restart {
  readonly pauseMs: number;
  /** `1 of 5` */
  readonly words: string;
}

/** How often, and after which pauses, a program that ended by itself is started again. */
export declare class RestartBudget {
  constructor(limits?: RestartLimits);
  /** `5 times within 10 minutes` */
  get limit(): string;
  /** @returns undefined when there is none left */
  take(now?: number): Restart | undefined;
}
