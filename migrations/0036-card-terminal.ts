import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0036/card-terminal.sql', import.meta.url);

/** Payments by a card terminal beside the desk. */
export class CardTerminal extends Migration {
  override readonly name = '0036-card-terminal';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
