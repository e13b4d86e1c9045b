import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0025/waitlist.sql', import.meta.url);

/** Requests that wait for a room, and the notifications about rooms that are offered to them. */
export class Waitlist extends Migration {
  override readonly name = '0025-waitlist';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
