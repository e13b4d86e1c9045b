import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0055/subscriptions.sql', import.meta.url);

/** Subscriptions to journals with their cursors, and webhooks. */
export class Subscriptions extends Migration {
  override readonly name = '0055-subscriptions';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
