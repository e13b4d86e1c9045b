import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0021/maintenances.sql', import.meta.url);

/** Nights in which a room cannot be used. */
export class Maintenances extends Migration {
  override readonly name = '0021-maintenances';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
