import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { DEPENDENCY_NOTES } from './dependency-notes.ts';

const ROOT = join(import.meta.dirname, '../..');

const names = z.record(z.string(), z.string());
const manifest = z.object({ dependencies: names });
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

/** Licences of packages that run in the service: none makes who uses it publish anything. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
]);

/** Licences that package-lock.json lacks, by the license file of the package or of the project that it belongs to. */
const READ_BY_US: readonly (readonly [name: RegExp, license: string])[] = [
  [/^@kafkajs\/confluent-schema-registry$/, 'MIT'],
  [/^@deno\//, 'MIT'],
  [/^@msgpackr-extract\//, 'MIT'],
];

const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

type Installed = { name: string; version: string; license: string };

/** Packages that the service runs with, those of packages included. @throws Error when a licence is not allowed */
function installedPackages(): Installed[] {
  const all = Object.entries(lock.parse(read('package-lock.json')).packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  return all.map(([path, { version = '', license }]) => {
    const name = path.split('node_modules/').at(-1)!;
    const known = license ?? READ_BY_US.find(([pattern]) => pattern.test(name))?.[1];
    if (known === undefined || !ALLOWED.has(known))
      throw new Error(`${name} has the licence ${known ?? 'unknown'}: see src/commands/dependencies-page.ts`);
    return { name, version, license: known };
  });
}

/** Rows of the page: name, version, licence, purpose, way out. @throws Error when a package has no note, or a note no package */
export function dependencyRows(): string[][] {
  const wanted = Object.keys(manifest.parse(read('package.json')).dependencies);
  const all = new Map(installedPackages().map((one) => [one.name, one]));
  const left = Object.keys(DEPENDENCY_NOTES).filter((name) => !wanted.includes(name));
  const missing = wanted.filter((name) => !(name in DEPENDENCY_NOTES));
  if (left.length + missing.length > 0)
    throw new Error(
      `src/commands/dependency-notes.ts lacks ${missing.join(', ') || 'none'}, has too many: ${left.join(', ') || 'none'}`,
    );
  return wanted.map((name) => {
    const { version, license } = all.get(name)!;
    const { purpose, exit } = DEPENDENCY_NOTES[name]!;
    return [`\`${name}\``, version, license, purpose, exit];
  });
}

/** How many packages there are of each licence, those of packages included. */
export function licenseRows(): string[][] {
  const byLicense = Map.groupBy(installedPackages(), ({ license }) => license);
  return [...byLicense]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([license, some]) => [license, String(some.length)]);
}
