import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0023/external-ids.sql', import.meta.url);

/** Ids of reservations at the channels that have sold them. */
export class ExternalIds extends Migration {
  override readonly name = '0023-external-ids';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
