import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import t from 'tap';

/**
 * ARCHITECTURE.md#who-owns-what-who-may-import-whom, as data: the folder a file lies in (the longest that fits) and
 * what it may import of ours.
 */
const LAYERS: Record<string, readonly string[]> = {
  'src/domain': [],
  'src/contracts': ['src/domain'],
  'src/ports': ['src/domain'],
  'src/operations': ['src/domain', 'src/contracts', 'src/ports'],
  'src/storage': ['src/domain', 'src/contracts', 'src/ports', 'migrations'],
  'src/messaging': ['src/domain', 'src/contracts', 'src/ports'],
  'src/jobs': ['src/domain', 'src/contracts', 'src/ports'],
  'src/partners': ['src/domain', 'src/contracts', 'src/ports'],
  'src/coordination': ['src/domain', 'src/contracts', 'src/ports'],
  'src/tracing': ['src/ports'],
  'src/testing': ['src', 'actors', 'migrations'],
  'src/launch': ['src'],
  'src/backup': ['src/launch', 'src/storage'],
  src: ['src'],
  actors: ['src/domain', 'src/ports'],
  'actors/testing': ['actors', 'src/domain', 'src/ports', 'src/testing'],
  'actors/simulation': ['actors', 'src/domain', 'src/ports', 'src/testing'],
  gateways: ['src/operations', 'src/contracts', 'src/ports', 'src/domain'],
  'gateways/dashboard': ['src/contracts', 'src/domain'],
  migrations: [],
};

/** Composition roots see all; a token is minted with the keys of the development issuer. */
const ROOTS = new Set(['src/main.ts', 'src/context.ts', 'src/clustering.ts', 'gateways/serve.ts']);
const EXTRA: Record<string, readonly string[]> = {
  'src/token.ts': ['gateways/auth'],
  'src/development-issuer.ts': ['gateways/auth'],
  // The status of a problem is the edge's.
  'src/reference-pages.ts': ['gateways/http'],
  // The chain is computed by who writes it.
  'src/verify-audit.ts': ['actors/property'],
};

/** What no layer decides: plain values and the process's own settings. */
const EVERYWHERE = ['src/telemetry.ts', 'src/redaction.ts', 'src/config.ts', 'src/environment.ts'];

const root = resolve(import.meta.dirname, '..');
const folders = ['src', 'actors', 'gateways', 'migrations', 'load-tests', 'test', 'k6'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.(ts|tsx|mjs)$/.test(entry.name) &&
        !/node_modules|\.d\.mts$/.test(entry.parentPath + entry.name),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Specifiers that a file imports, as they stand; type imports count. */
function imports(file: string): string[] {
  return [...texts.get(file)!.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);
}

/** Files of ours that a file imports. */
function ours(file: string): string[] {
  return imports(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, dirname(file), name)));
}

/** The same without what is only a type and leaves nothing at run time. */
function atRunTime(file: string): string[] {
  const values = texts.get(file)!.replaceAll(/(^|\n)\s*(?:import|export) type [^;]*;/g, '\n');
  const names = new Set([...values.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!));
  return ours(file).filter(
    (target) =>
      texts.has(target) && [...names].some((name) => resolve(root, dirname(file), name) === join(root, target)),
  );
}

const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || /(^|\/)(testing|test-world|simulation)(\/|\.)/.test(file);
const inside = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

function layerOf(file: string): string | undefined {
  return Object.keys(LAYERS)
    .filter((folder) => inside(file, folder))
    .toSorted((a, b) => b.length - a.length)[0];
}

void t.test('each file imports only what its layer may', async (t) => {
  const wrong: string[] = [];
  for (const file of files) {
    const layer = layerOf(file);
    if (layer === undefined || ROOTS.has(file) || (isTest(file) && !inside(file, 'src/testing'))) continue;
    const may = [layer, ...LAYERS[layer]!, ...(EXTRA[file] ?? []), ...EVERYWHERE];
    for (const target of ours(file))
      if (!may.some((folder) => inside(target, folder))) wrong.push(`${file} imports ${target}`);
  }
  t.same(wrong, []);
});

void t.test('worlds and fakes are imported by tests, load tests and simulations only', async (t) => {
  const users = files.filter((file) =>
    ours(file).some((target) => inside(target, 'src/testing') || inside(target, 'actors/testing')),
  );
  t.same(
    users.filter((file) => !isTest(file) && !inside(file, 'load-tests') && !inside(file, 'test')),
    [],
  );
});

void t.test('actors and gateways never import each other', async (t) => {
  for (const file of files.filter((one) => !ROOTS.has(one) && !isTest(one))) {
    const other = inside(file, 'actors') ? 'gateways' : inside(file, 'gateways') ? 'actors' : undefined;
    if (other)
      t.same(
        ours(file).filter((target) => inside(target, other)),
        [],
        file,
      );
  }
});

void t.test('the domain knows neither Node nor a package', async (t) => {
  for (const file of files.filter((one) => inside(one, 'src/domain') && !isTest(one)))
    t.same(
      imports(file).filter((name) => !name.startsWith('./')),
      [],
      file,
    );
});

void t.test('operations, contracts and actors know no framework', async (t) => {
  const frameworks = /^(@nestjs|fastify|@fastify|pg$|@mikro-orm|socket\.io|kafkajs|redis|bullmq)/;
  for (const file of files)
    if (
      ['src/domain', 'src/contracts', 'src/operations', 'src/ports', 'actors'].some((folder) =>
        inside(file, folder),
      ) &&
      !isTest(file)
    )
      t.same(
        imports(file).filter((name) => frameworks.test(name)),
        [],
        file,
      );
});

void t.test('there are no cycles at run time', async (t) => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const target of atRunTime(file)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) if (!isTest(file)) visit(file, []);
  t.same(cycles, []);
});

void t.test(
  'no barrels, no default exports, no folders without a meaning, no decorators below the edge',
  async (t) => {
    for (const [file, text] of texts) {
      t.notMatch(basename(file), /^index\./, file);
      t.notMatch(`/${dirname(file)}/`, /\/(utils?|helpers?|common|shared|misc)\//, file);
      if (!inside(file, 'k6')) t.notMatch(text, /^export default /m, `${file} has a default export`);
      if (['src', 'actors', 'migrations'].some((folder) => inside(file, folder)))
        t.notMatch(text, /^\s*@[A-Z]\w*\(/m, `${file} has a decorator`);
    }
  },
);

void t.test('no file is over 500 lines', async (t) => {
  t.same(
    [...texts].filter(([, text]) => text.split('\n').length > 501).map(([file]) => file),
    [],
  );
});
