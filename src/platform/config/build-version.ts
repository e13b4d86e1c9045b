import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of the program, as package.json has it. */
export function buildVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
