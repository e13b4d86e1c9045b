import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0035/guest-merges.sql', import.meta.url);

/** Merged guest profiles, consent, versions of profiles, and notes about guests. */
export class GuestMerges extends Migration {
  override readonly name = '0035-guest-merges';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
