import { RegistryFault } from '../contracts/registry.ts';
import { parseSchema } from '../contracts/schema-compatibility.ts';
import type { RegisteredVersion, RegistryStore } from '../ports.ts';
import { hindrances } from './check-schema.ts';

/** Of one subject; nobody has that many by intention. */
const MOST_VERSIONS = 1_000;
/** Tries against others who register under the same subject in the same moment. */
const TRIES = 10;

/** The text by which a schema is known: as it was written, without its spaces. @throws RegistryFault */
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
 * Registers a schema as the next version of a subject (docs/concepts/events.md#schemas); the same again changes
 * nothing.
 * @throws RegistryFault 409 "Schema being registered is incompatible", 422 for what is no schema
 */
export async function registerSchema(
  store: RegistryStore,
  subject: string,
  text: string,
): Promise<RegisteredVersion> {
  const schema = canonicalSchema(text);
  for (let tried = 0; tried < TRIES; tried++) {
    const versions = await store.versions(subject);
    const known = versions.find((version) => version.schema === schema);
    if (known) return known;
    if (versions.length >= MOST_VERSIONS)
      throw new RegistryFault('TOO_MANY', `Subject '${subject}' has ${MOST_VERSIONS} versions already.`);
    const faults = await hindrances(store, { subject, schema, versions });
    if (faults.length > 0) throw RegistryFault.incompatible(subject, faults);
    await store.add({ subject, schema, version: (versions.at(-1)?.version ?? 0) + 1 });
  }
  throw new Error(`others register under ${subject} all the time`);
}

/** A schema that a subject has, by its text. @throws RegistryFault 40401, 40403 */
export async function lookUpSchema(store: RegistryStore, subject: string, text: string): Promise<RegisteredVersion> {
  const schema = canonicalSchema(text);
  const versions = await store.versions(subject);
  if (versions.length === 0) throw new RegistryFault('NO_SUBJECT', `Subject '${subject}' not found.`);
  const found = versions.find((version) => version.schema === schema);
  if (!found) throw new RegistryFault('NO_SCHEMA', 'Schema not found');
  return found;
}
