import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Address } from '../../kernel/rules/caller.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import { FileCopy, syncFolder } from '../../platform/backup/file-copy.ts';
import type { ContingencyFolder } from '../ports.ts';

/** Packs kept per property: those of two hours. */
const PACKS_RETAINED = 8;
/** Age at which packs of deleted properties are removed. */
const OLDEST_MS = 86_400_000;

const NAME = /^([a-z0-9-]+_[a-z0-9-]+)_(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z\.pack$/;
const UNFINISHED = '.unfinished';

/**
 * Contingency packs in a folder (docs/guide/backup.md#contingency-pack). A pack is written atomically; the last few of
 * each property are retained.
 */
export class ContingencyFiles implements ContingencyFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async store({ tenantId, propertyId }: Address, at: Instant, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const ofProperty = `${tenantId}_${propertyId}`;
    const stamp = formatInstant(at).replace(/\.\d+/, '').replaceAll(':', '-');
    const file = join(this.#folder, `${ofProperty}_${stamp}.pack`);
    const unfinished = join(this.#folder, `${ofProperty}${UNFINISHED}`);
    await rm(unfinished, { force: true });
    const copy = new FileCopy({ signal: new AbortController().signal, advanced: () => {} });
    await copy.write(text, unfinished);
    await rename(unfinished, file);
    await syncFolder(this.#folder);
    const packs = (await this.#names()).filter((name) => NAME.exec(name)?.[1] === ofProperty);
    for (const name of packs.toSorted().slice(0, -PACKS_RETAINED)) await this.#remove(name);
  }

  async newest(): Promise<ReadonlyMap<string, Instant>> {
    const newest = new Map<string, Instant>();
    for (const name of (await this.#names()).toSorted()) {
      const [, ofProperty, date, ...time] = NAME.exec(name) ?? [];
      if (ofProperty !== undefined) newest.set(ofProperty.replace('_', ':'), Date.parse(`${date}${time.join(':')}Z`));
    }
    return newest;
  }

  async sweep(now: Instant): Promise<void> {
    for (const name of await this.#names()) {
      const [, , date, ...time] = NAME.exec(name) ?? [];
      if (date !== undefined && Date.parse(`${date}${time.join(':')}Z`) < now - OLDEST_MS) await this.#remove(name);
    }
  }

  async #names(): Promise<string[]> {
    return readdir(this.#folder).catch(() => []);
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.#folder, name), { force: true });
  }
}
