import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { endProcess } from '../../src/platform/launch/process/end-process.mjs';
import { isRunning, lookUp } from '../../src/platform/launch/process/processes.mjs';

/** An id alone may have been given to somebody else since. */
type Identity = { pid: number; startedAt: string };
type Entry = { owner: Identity; processes: Identity[] };

const FILE = 'processes.json';
const PREFIX = 'innkeeper-services-';

/**
 * The folder of one set of services, with a list of their processes: the next start ends those whose owner was
 * killed before he could.
 */
export class Ledger {
  readonly folder: string;
  readonly #temporary: boolean;
  readonly #entry: Entry = { owner: identity(process.pid), processes: [] };

  private constructor(folder: string, temporary: boolean) {
    this.folder = folder;
    this.#temporary = temporary;
    this.#write();
  }

  /** @param dataDir stays afterwards; without it a temporary folder is used that goes with the services */
  static async open(dataDir?: string): Promise<Ledger> {
    for (const name of readdirSync(tmpdir()))
      if (name.startsWith(PREFIX)) await sweep(join(tmpdir(), name), { remove: true });
    const folder = dataDir === undefined ? mkdtempSync(join(tmpdir(), PREFIX)) : resolve(dataDir);
    mkdirSync(folder, { recursive: true });
    // As root PostgreSQL runs under another account, which has to pass through.
    chmodSync(folder, 0o711);
    const holder = await sweep(folder, { remove: false });
    if (holder !== undefined) throw new Error(`${folder} is used by the services of process ${holder}`);
    return new Ledger(folder, dataDir === undefined);
  }

  note(pid: number): void {
    this.#entry.processes.push(identity(pid));
    this.#write();
  }

  /** At the end of this process, when nothing can be waited for any more. */
  killAll(): void {
    for (const one of this.#entry.processes.filter(lives)) process.kill(one.pid, 'SIGKILL');
  }

  close(): void {
    if (this.#temporary) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    else rmSync(join(this.folder, FILE), { force: true });
  }

  #write(): void {
    const path = join(this.folder, FILE);
    writeFileSync(`${path}.new`, JSON.stringify(this.#entry));
    renameSync(`${path}.new`, path);
  }
}

/** Ends what a killed owner left behind. @returns the owner when he lives */
async function sweep(folder: string, { remove }: { remove: boolean }): Promise<number | undefined> {
  const entry = read(folder);
  if (entry === undefined) return undefined;
  if (lives(entry.owner)) return entry.owner.pid;
  for (const one of entry.processes.filter(lives)) await endProcess(one.pid, [['SIGKILL', 5_000]]);
  if (remove) rmSync(folder, { recursive: true, force: true });
  return undefined;
}

function read(folder: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Entry;
  } catch {
    return undefined;
  }
}

function identity(pid: number): Identity {
  return { pid, startedAt: lookUp(pid)?.startedAt ?? '' };
}

function lives({ pid, startedAt }: Identity): boolean {
  return isRunning(pid) && lookUp(pid)?.startedAt === startedAt;
}
