import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0059/agent-channel.sql', import.meta.url);

/** The channel by which agents book. */
export class AgentChannel extends Migration {
  override readonly name = '0059-agent-channel';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
