import { RegistryFault } from '../contracts/registry.ts';
import { parseSchema } from '../contracts/schema-compatibility.ts';
import type { RegisteredVersion, RegistryStore } from '../ports.ts';
import { hindrances } from './check-schema.ts';

/** Maximum of versions of one subject. */
const MAX_VERSIONS = 1_000;
/** Attempts when others register under the same subject at the same time. */
const TRIES = 10;

/** Canonical text of a schema: as written, without whitespace. @throws RegistryFault */
export function canonicalSchema(text: string): string {
  try {
    parseSchema(text);
    return JSON.stringify(JSON.parse(text));
  } catch (error) {
    throw new RegistryFault(
      'WRONG_SCHEMA',
      `Invalid schema: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}

/**
 * Registers a schema as the next version of a subject (docs/concepts/events.md#schemas); a repeat changes nothing.
 * @throws RegistryFault 409 "Schema being registered is incompatible", 422 for an invalid schema
 */
export async function registerSchema(
  store: RegistryStore,
  subject: string,
  text: string,
): Promise<RegisteredVersion> {
  const schema = canonicalSchema(text);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const versions = await store.versions(subject);
    const known = versions.find((version) => version.schema === schema);
    if (known) return known;
    if (versions.length >= MAX_VERSIONS)
      throw new RegistryFault('TOO_MANY', `Subject '${subject}' has ${MAX_VERSIONS} versions already.`);
    const faults = await hindrances(store, { subject, schema, versions });
    if (faults.length > 0) throw RegistryFault.incompatible(subject, faults);
    await store.add({ subject, schema, version: (versions.at(-1)?.version ?? 0) + 1 });
  }
  throw new Error(`others register under ${subject} all the time`);
}

/** Finds a version of a subject by its text. @throws RegistryFault 40401, 40403 */
export async function lookUpSchema(store: RegistryStore, subject: string, text: string): Promise<RegisteredVersion> {
  const schema = canonicalSchema(text);
  const versions = await store.versions(subject);
  if (versions.length === 0) throw new RegistryFault('NO_SUBJECT', `Subject '${subject}' not found.`);
  const found = versions.find((version) => version.schema === schema);
  if (!found) throw new RegistryFault('NO_SCHEMA', 'Schema not found');
  return found;
}
