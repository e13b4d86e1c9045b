import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0031/demo-state.sql', import.meta.url);

/** How far the demo has come, and months of the journal for a past that is written at once. */
export class DemoState extends Migration {
  override readonly name = '0031-demo-state';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
