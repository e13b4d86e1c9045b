import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0018/child-ages-and-day-use.sql', import.meta.url);

/** Ages of children, and stays without a night. */
export class ChildAgesAndDayUse extends Migration {
  override readonly name = '0018-child-ages-and-day-use';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
