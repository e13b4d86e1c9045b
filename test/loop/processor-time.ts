import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Fields of `/proc/<pid>/stat` are in these, 100 a second on every Linux that we know. */
const TICKS_A_SECOND = 100;
const LOOK_EVERY_MS = 500;
const TEST_FILE = /^\S+\.test\.ts$/;

/** A process as `/proc` shows it; ticks of its own, and of its children that have ended and were waited for. */
export type Seen = { pid: number; parent: number; startedAt: number; own: number; ofChildren: number };
/** `unseen`: of `ofChildren`, what was not counted as a process of its own. `late`: see `#countUnseen`. */
type Tracked = Seen & {
  shard: string;
  file?: string;
  above?: Tracked;
  hasEnded: boolean;
  unseen: number;
  late: number;
};

/**
 * User and system seconds of a shard and of each of its test files, with all that they start: services, databases,
 * brokers and browsers. Wall time says little on two processors that several files share. Processes are looked at
 * from time to time, since a database or a killed service is waited for by nobody; what came and went in between is
 * in the ticks of its parent.
 */
export class ProcessorTime {
  readonly #tracked = new Map<string, Tracked>();
  readonly #said = new Map<string, number>();
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param isOn false where there is no `/proc`; nothing is counted then */
  constructor(isOn = process.platform === 'linux') {
    this.#timer = isOn ? setInterval(() => this.look(processes()), LOOK_EVERY_MS) : undefined;
  }

  /** From here on the process is counted, and whatever it starts. */
  track(pid: number, shard: string): void {
    const seen = this.#timer === undefined ? undefined : processOf(pid);
    if (seen !== undefined) this.begin(seen, shard);
  }

  /** The same for one that has been looked at. */
  begin(seen: Seen, shard: string): void {
    this.#add(seen, shard);
  }

  /** What a file says about itself, that shares its process with others. */
  add(file: string, seconds: number): void {
    this.#said.set(file, (this.#said.get(file) ?? 0) + seconds);
  }

  /** @param all every process of the machine at one moment */
  look(all: readonly Seen[], argumentsOf = commandLine): void {
    const there = new Map(all.map((seen) => [seen.pid, seen]));
    const now = new Map(all.map((seen) => [keyOf(seen), seen]));
    this.#countUnseen(now);
    // Parents come before their children.
    for (const seen of all.toSorted((a, b) => a.startedAt - b.startedAt || a.pid - b.pid)) {
      const known = this.#tracked.get(keyOf(seen));
      const parent = there.get(seen.parent);
      const above = parent && this.#tracked.get(keyOf(parent));
      // One that lost its parent belongs where it was first seen.
      if (known) Object.assign(known, { own: seen.own, ofChildren: seen.ofChildren });
      else if (above) this.#add(seen, above.shard, above, above.file ?? fileOf(argumentsOf(seen.pid)));
    }
  }

  /**
   * A process that waited for its children has all their ticks: those that were seen are taken off. Of a tree that
   * ended at once, such as a service that was killed, the process above it has the whole tree. One that is reaped while
   * the others are looked at is in its parent at the next look.
   */
  #countUnseen(now: ReadonlyMap<string, Seen>): void {
    const counted = new Map<Tracked, number>();
    for (const [key, one] of this.#tracked) {
      if (one.hasEnded || now.has(key)) continue;
      one.hasEnded = true;
      let above = one.above;
      while (above && !now.has(keyOf(above))) above = above.above;
      if (above) add(counted, above, one.own + one.ofChildren);
    }
    for (const one of this.#tracked.values()) {
      const seen = now.get(keyOf(one));
      if (!seen) continue;
      const added = seen.ofChildren - one.ofChildren;
      const ended = counted.get(one) ?? 0;
      one.unseen += Math.max(0, added - ended - one.late);
      one.late = Math.min(ended, Math.max(0, ended + one.late - added));
    }
  }

  #add(seen: Seen, shard: string, above?: Tracked, file?: string): void {
    const { ofChildren: unseen } = seen;
    this.#tracked.set(keyOf(seen), { ...seen, shard, file, above, hasEnded: false, unseen, late: 0 });
  }

  /** Seconds of all processes of a shard. */
  secondsOf(shard: string): number {
    return this.#sum((one) => (one.shard === shard ? shard : undefined)).get(shard) ?? 0;
  }

  /** The files that took most, the largest first, with their seconds. */
  largest(count: number): { file: string; seconds: number }[] {
    const seconds = this.#sum(({ shard, file }) => (file === undefined ? undefined : `${file} (${shard})`));
    return [...seconds, ...this.#said]
      .map(([file, value]) => ({ file, seconds: value }))
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, count);
  }

  #sum(nameOf: (one: Tracked) => string | undefined): Map<string, number> {
    const sums = new Map<string, number>();
    for (const one of this.#tracked.values()) {
      const name = nameOf(one);
      if (name !== undefined) add(sums, name, (one.own + one.unseen) / TICKS_A_SECOND);
    }
    return sums;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** An id is given again to a later process. */
const keyOf = ({ pid, startedAt }: Seen): string => `${pid} ${startedAt}`;

function add<K>(sums: Map<K, number>, key: K, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

/** The file of a process that plays one. A word with spaces is the whole command of a shell or of npm, with all files. */
function fileOf(words: readonly string[]): string | undefined {
  const files = words.filter((word) => TEST_FILE.test(word));
  return files.length === 1 ? basename(files[0]!) : undefined;
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function processes(): Seen[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => processOf(Number(pid)) ?? []);
}

/** @returns undefined when it is gone */
export function processOf(pid: number): Seen | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes before, in brackets, and may have spaces of its own.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system, childUser, childSystem, startedAt] = [1, 11, 12, 13, 14, 19].map((at) =>
      Number(fields[at]),
    ) as [number, number, number, number, number, number];
    return { pid, parent, startedAt, own: user + system, ofChildren: childUser + childSystem };
  } catch {
    return undefined;
  }
}

/** Seconds that this process has used, with its children that have ended. */
export function secondsSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + (processOf(process.pid)?.ofChildren ?? 0) / TICKS_A_SECOND;
}
