import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { restoreMarker } from '../launch/database/half-restored.mjs';
import type { Place } from '../launch/process/place.mjs';
import { syncFolder } from './file-copy.ts';
import { LEDGER, STATE_FILES } from './state-files.ts';

/** What a restore replaces: the database's folder and its state files. */
const REPLACED = ['postgres', ...STATE_FILES];

/** Content of the marker: the name of the folders for the previous data, and what they take. */
type Plan = { aside: string; moving: string[] };

/** Where a restore prepares the new data. */
export type Workshop = { cluster: string; files: string };

export const workshopIn = (dataDir: string, { cluster }: Place): Workshop => ({
  cluster: `${cluster}.restoring`,
  files: join(dataDir, 'restoring'),
});

/**
 * Moves the previous data aside, never deleting any, and the new data into place. From before the first move until
 * `finish` a marker prevents services from starting. After a kill it resumes: what the marker lists and is not moved
 * yet is moved; anything else in place is a copy of a backup, and is removed.
 */
export class Swap {
  readonly #dataDir: string;
  readonly #place: Place;
  readonly #plan: Plan;

  private constructor(dataDir: string, place: Place, plan: Plan) {
    this.#dataDir = dataDir;
    this.#place = place;
    this.#plan = plan;
  }

  static async begin(dataDir: string, place: Place): Promise<Swap> {
    const marker = restoreMarker(dataDir);
    if (existsSync(marker)) return new Swap(dataDir, place, JSON.parse(await readFile(marker, 'utf8')));
    const swap = new Swap(dataDir, place, { aside: unusedName([dataDir, dirname(place.cluster)]), moving: [] });
    swap.#plan.moving = REPLACED.filter((name) => existsSync(swap.#inPlace(name)));
    await writeFile(`${marker}.new`, JSON.stringify(swap.#plan), { mode: 0o600, flush: true });
    await rename(`${marker}.new`, marker);
    await syncFolder(dataDir);
    return swap;
  }

  /** Folders with the previous data; empty when there was none. */
  get aside(): string[] {
    return [...new Set(this.#plan.moving.map((name) => dirname(this.#aside(name))))];
  }

  async putInPlace(workshop: Workshop): Promise<void> {
    for (const folder of this.aside) await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of this.#plan.moving)
      if (!existsSync(this.#aside(name))) await rename(this.#inPlace(name), this.#aside(name));
    await rememberCharges(this.#aside(LEDGER), join(workshop.files, LEDGER));
    for (const name of REPLACED) {
      const made = name === 'postgres' ? workshop.cluster : join(workshop.files, name);
      await rm(this.#inPlace(name), { recursive: true, force: true });
      if (existsSync(made)) await rename(made, this.#inPlace(name));
    }
    await rm(workshop.files, { recursive: true, force: true });
    if (this.#place.home) await linkTo(this.#place.cluster, join(this.#dataDir, 'postgres'));
    for (const folder of [...this.aside, dirname(this.#place.cluster), this.#dataDir]) await syncFolder(folder);
  }

  async finish(): Promise<void> {
    await rm(restoreMarker(this.#dataDir));
    await syncFolder(this.#dataDir);
  }

  #inPlace(name: string): string {
    return name === 'postgres' ? this.#place.cluster : join(this.#dataDir, name);
  }

  /** On the same file system, so that moving is a rename. */
  #aside(name: string): string {
    return join(dirname(this.#inPlace(name)), this.#plan.aside, name);
  }
}

/** An existing folder of that name would count as moved. */
function unusedName(folders: readonly string[]): string {
  for (;;) {
    const name = `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    if (!folders.some((folder) => existsSync(join(folder, name)))) return name;
  }
}

/**
 * A restore does not rewind the provider: charges since the backup are added to its ledger, so that bookings in
 * payment are completed. An attempt has one outcome, however often it is listed.
 */
async function rememberCharges(before: string, ledger: string): Promise<void> {
  if (!existsSync(before)) return;
  // A truncated last line must not swallow the next.
  await writeFile(ledger, '\n', { flag: 'a', mode: 0o600 });
  await pipeline(createReadStream(before), createWriteStream(ledger, { flags: 'a', flush: true }));
}

async function linkTo(target: string, link: string): Promise<void> {
  await rm(link, { force: true });
  await symlink(target, link);
}
