import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0022/bookings.sql', import.meta.url);

/** The booking of reservations that were made together. */
export class Bookings extends Migration {
  override readonly name = '0022-bookings';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
