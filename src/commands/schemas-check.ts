import { writeFileSync } from 'node:fs';

import { registeredFile, registeredSchemas, schemaOf, orphanFiles } from '../events/contracts/event-schemas.ts';
import { schemaFaults } from '../events/contracts/schema-check.ts';
import { TOPIC_NAMES } from '../events/rules/topics.ts';

/**
 * `npm run schemas:check`: rejects a change of an event schema that is incompatible
 * (docs/reference/events.md#schema-changes) with the committed registered versions; `-- --accept` stores a compatible
 * one as the next version.
 */
function main(args: readonly string[]): number {
  const faults = TOPIC_NAMES.flatMap((topic) => schemaFaults(topic, schemaOf(topic), registeredSchemas(topic)));
  const broken = faults.filter(({ kind }) => kind === 'broken');
  const orphans = orphanFiles();
  if (args.includes('--accept') && broken.length === 0) {
    for (const { topic } of faults) {
      const file = registeredFile(topic, registeredSchemas(topic).length + 1);
      writeFileSync(file, `${JSON.stringify(schemaOf(topic), null, 2)}\n`);
      process.stdout.write(`${topic}: kept as a new version; put the same number into src/events/rules/topics.ts\n`);
    }
    return 0;
  }
  for (const { detail } of faults) process.stderr.write(`${detail}\n`);
  for (const file of orphans) process.stderr.write(`${file} belongs to no topic, or leaves a version out\n`);
  if (broken.length > 0)
    process.stderr.write(
      'Schema being registered is incompatible: add fields with a default only; a breaking change requires a new topic\n',
    );
  if (faults.length + orphans.length === 0) process.stdout.write('All event schemas are as registered.\n');
  return faults.length + orphans.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
