import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0047/stay-links.sql', import.meta.url);

/** Mails with the link of a stay, which staff send. */
export class StayLinks extends Migration {
  override readonly name = '0047-stay-links';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
