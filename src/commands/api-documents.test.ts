import { createConfig, lintFromString } from '@redocly/openapi-core';
import t, { type Test } from 'tap';

import { asyncApi } from '../live/contracts/asyncapi.ts';
import { apiDocument } from './api-documents.ts';

/** What the linter warns of and is meant, with why. */
const MEANT = new Map([
  ['no-ambiguous-paths', 'an id stands where a word may stand'],
  ['no-unused-components', 'problems that only the router answers'],
  ['security-defined', 'brokers have their own; a socket sends its token in a frame'],
]);

async function lint(t: Test, document: object): Promise<void> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(document), config });
  t.same(
    found
      .filter(({ severity, ruleId }) => severity === 'error' || !MEANT.has(ruleId))
      .map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`),
    [],
  );
}

for (const name of ['rate', 'reservation'] as const)
  t.test(`the OpenAPI document of the ${name} service has no fault`, async (t) => {
    const document = await apiDocument(name);
    t.ok(Object.keys(document.paths).length > 30);
    await lint(t, document);
  });

t.test('the AsyncAPI document has no fault', async (t) => {
  const document = asyncApi({ brokers: ['broker:9092'], live: { host: 'live.example', protocol: 'wss' } });
  // The linter reads JSON Schema; that Avro's schemas are right is tested where they are.
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === 'payload' && typeof value === 'object' && value !== null && 'schemaFormat' in value ? {} : value,
  );
  await lint(t, JSON.parse(text) as object);
});
