import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

import type { Health, HealthCheck } from '../../kernel/ports.ts';

/**
 * Free space below which the embedded database takes no writes of the service: two files of its log. PostgreSQL ends
 * when it cannot write its log, and then nobody can read either.
 */
export const RESERVED_BYTES = 32 * 2 ** 20;
/** How old a look at the disk may be, in milliseconds. */
const LOOK_EVERY_MS = 500;
/** How long a write that the database refused counts when nobody tries again, in milliseconds. */
const COUNTS_MS = 10_000;

type WriteGateOptions = {
  /** Where the embedded database lies; absent with a server of one's own, whose disk this node does not see. */
  dataDir?: string | undefined;
  /** What the start found missing in the database; shown in health until the process ends. */
  rewound?: string | undefined;
  /** Monotonic clock, milliseconds. */
  now?: () => number;
  /** Bytes that are free below a folder; replaced in tests. */
  freeIn?: (folder: string) => Promise<number>;
};

/**
 * Whether the database takes writes, and health component `storage` (docs/operations/storage.md#read-only): while its
 * disk is full, bookings are refused and reads go on.
 */
export class WriteGate implements HealthCheck {
  /** No other node could write either, and reads go on: the node stays in service. */
  readonly essential = false;
  readonly #folders: readonly string[];
  readonly #rewound: { rewound?: string };
  readonly #now: () => number;
  readonly #freeIn: (folder: string) => Promise<number>;
  #free: number | undefined;
  #lookedAt = -Infinity;
  #refused: { detail: string; at: number } | undefined;

  constructor({ dataDir, rewound, now = () => performance.now(), freeIn = freeBytes }: WriteGateOptions = {}) {
    // The database may be on another disk, behind a link that this process may not follow.
    this.#folders = dataDir === undefined ? [] : [join(dataDir, 'postgres'), dataDir];
    this.#rewound = rewound === undefined ? {} : { rewound };
    this.#now = now;
    this.#freeIn = freeIn;
  }

  /** Why nothing may be written now. It answers at once, from the last look at the disk, so that calls stay in order. */
  get closed(): string | undefined {
    if (this.#now() - this.#lookedAt >= LOOK_EVERY_MS) void this.#look();
    if (this.#free === undefined || this.#free >= RESERVED_BYTES) return undefined;
    return `${Math.floor(this.#free / 2 ** 20)} MB are free on the disk of the database`;
  }

  /** Counts what the database said to a write: why it refused it, or that it took it. */
  answered(reason?: string): void {
    this.#refused = reason === undefined ? undefined : { detail: reason, at: this.#now() };
  }

  async check(): Promise<Health> {
    await this.#look();
    const refused = this.#refused && this.#now() - this.#refused.at < COUNTS_MS ? this.#refused.detail : undefined;
    const reason = this.closed ?? refused;
    const disk = this.#free === undefined ? {} : { free: this.#free, reserved: RESERVED_BYTES };
    return {
      status: reason === undefined ? 'UP' : 'OUT_OF_SERVICE',
      details: { readOnly: reason !== undefined, ...(reason && { reason }), ...disk, ...this.#rewound },
    };
  }

  async #look(): Promise<void> {
    this.#lookedAt = this.#now();
    for (const folder of this.#folders) {
      const free = await this.#freeIn(folder).catch(() => undefined);
      if (free === undefined) continue;
      this.#free = free;
      return;
    }
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
