import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0007/collecting.sql', import.meta.url);

/** Indexes by which reservations are found that something is to be collected of, or whose room is released. */
export class Collecting extends Migration {
  override readonly name = '0007-collecting';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
