import { RegistryClient } from '../events/partners/registry-client.ts';
import { EventFailure } from '../events/rules/event-failure.ts';
import { TOPIC_NAMES } from '../events/rules/topics.ts';
import { environment } from '../platform/config/environment.ts';

/** `npm run schemas:register`: registers every version of every event schema; repeating it changes nothing. */
async function main(): Promise<void> {
  const { SCHEMA_REGISTRY_URL, REGISTRY_PORT } = environment
    .pick({ SCHEMA_REGISTRY_URL: true, REGISTRY_PORT: true })
    .parse({ SCHEMA_REGISTRY_URL: process.env['SCHEMA_REGISTRY_URL'], REGISTRY_PORT: process.env['REGISTRY_PORT'] });
  const client = new RegistryClient(SCHEMA_REGISTRY_URL ?? `http://127.0.0.1:${REGISTRY_PORT}`);
  for (const topic of TOPIC_NAMES) process.stdout.write(`${topic}-value: id ${await client.register(topic)}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof EventFailure ? error.line : String(error)}\n`);
  process.exitCode = 1;
}
