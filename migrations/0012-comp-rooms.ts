import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0012/comp-rooms.sql', import.meta.url);

/** Complimentary rooms as a figure of a business day. */
export class CompRooms extends Migration {
  override readonly name = '0012-comp-rooms';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
