import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { restoreMarker } from '../launch/database/half-restored.mjs';
import type { Place } from '../launch/process/place.mjs';
import { syncFolder } from './file-copy.ts';
import { LEDGER, STATE_FILES } from './state-files.ts';

/** What a restore replaces: the database's folder, and the files beside it. */
const REPLACED = ['postgres', ...STATE_FILES];

/** What the marker says: the name of the folders that take what was there, and what that was. */
type Plan = { aside: string; moving: string[] };

/** Where a restore builds what it puts in place. */
export type Workshop = { cluster: string; files: string };

export const workshopIn = (dataDir: string, { cluster }: Place): Workshop => ({
  cluster: `${cluster}.restoring`,
  files: join(dataDir, 'restoring'),
});

/**
 * Moves the present data aside, never deleting any, and the new in its place. From before the first move until
 * `finish` a marker keeps services from starting. After a kill at any point the same begins again: what the marker
 * lists and is not aside yet is moved there; whatever else lies in place is a copy of a backup, and goes.
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

  /** Folders with what was in place before; none when nothing was. */
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

  /** On the file system that it is on, so that moving is a rename. */
  #aside(name: string): string {
    return join(dirname(this.#inPlace(name)), this.#plan.aside, name);
  }
}

/** What lies in a folder of that name would count as moved. */
function unusedName(folders: readonly string[]): string {
  for (;;) {
    const name = `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    if (!folders.some((folder) => existsSync(join(folder, name)))) return name;
  }
}

/**
 * No restore of ours rewinds the provider: what it charged since the backup it still knows, so that bookings whose
 * payment was under way are settled. Of one attempt there is one outcome, however often it is listed.
 */
async function rememberCharges(before: string, ledger: string): Promise<void> {
  if (!existsSync(before)) return;
  // A last line that a crash cut off must not swallow the next.
  await writeFile(ledger, '\n', { flag: 'a', mode: 0o600 });
  await pipeline(createReadStream(before), createWriteStream(ledger, { flags: 'a', flush: true }));
}

async function linkTo(target: string, link: string): Promise<void> {
  await rm(link, { force: true });
  await symlink(target, link);
}
