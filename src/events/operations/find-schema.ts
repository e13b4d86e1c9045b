import { RegistryFault } from '../contracts/registry.ts';
import type { RegisteredVersion, RegistryStore } from '../ports.ts';

/** All versions of a subject, oldest first. @throws RegistryFault 40401 */
export async function versionsOf(store: RegistryStore, subject: string): Promise<RegisteredVersion[]> {
  const versions = await store.versions(subject);
  if (versions.length === 0) throw new RegistryFault('NO_SUBJECT', `Subject '${subject}' not found.`);
  return versions;
}

/** One version, by number, `latest` or `-1`. @throws RegistryFault 40401, 40402, 42202 */
export async function versionOf(store: RegistryStore, subject: string, version: string): Promise<RegisteredVersion> {
  const latest = version === 'latest' || version === '-1';
  if (!latest && !/^[1-9]\d{0,8}$/.test(version))
    throw new RegistryFault(
      'WRONG_VERSION',
      `The specified version '${version}' is not a valid version id. Allowed values are between [1, 2^31-1] and the string "latest"`,
    );
  const versions = await versionsOf(store, subject);
  const found = latest ? versions.at(-1) : versions.find((one) => one.version === Number(version));
  if (!found) throw new RegistryFault('NO_VERSION', `Version ${version} not found.`);
  return found;
}

/** Text of a schema. @throws RegistryFault 40403 */
export async function schemaById(store: RegistryStore, id: string): Promise<string> {
  const schema = /^\d{1,9}$/.test(id) ? await store.schema(Number(id)) : undefined;
  if (schema === undefined) throw new RegistryFault('NO_SCHEMA', `Schema ${id} not found`);
  return schema;
}
