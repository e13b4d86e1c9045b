import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import t from 'tap';

/**
 * Layers of a subject, from the inside out, and what each may import of ours (ARCHITECTURE.md#who-imports-whom). The
 * layers are folders of `src/<subject>/`; `ports` is its file `ports.ts`.
 */
const LAYERS = {
  rules: [],
  /** What other programs are written with knows nothing of ours: it is a package of its own. */
  client: [],
  contracts: ['rules', 'client'],
  ports: ['rules'],
  operations: ['rules', 'contracts', 'ports'],
  storage: ['rules', 'contracts', 'ports', 'platform'],
  partners: ['rules', 'contracts', 'ports', 'platform'],
  jobs: ['rules', 'contracts', 'ports', 'platform', 'operations'],
  /** Technology that is nobody's subject. Of the subjects it knows shapes, as entities and columns need them. */
  platform: ['rules', 'contracts', 'ports', 'migrations'],
  actors: ['rules', 'ports'],
  gateways: ['operations', 'contracts', 'ports', 'rules', 'client'],
  dashboard: ['contracts', 'rules', 'client'],
  migrations: [],
  simulation: ['actors', 'rules', 'ports', 'testing'],
  testing: null,
  /** Composition roots and the programs of the command line see all. */
  wiring: null,
} satisfies Record<string, readonly string[] | null>;
type Layer = keyof typeof LAYERS;

/**
 * Subjects from the ground up: each knows those before it, and none after it (ARCHITECTURE.md#who-imports-whom). The
 * platform stands beside `kernel`: the storage of every subject is built on it.
 */
const SUBJECTS = [
  'kernel',
  'platform',
  'properties',
  'tenants',
  'guests',
  'money',
  'rates',
  'rooms',
  'stay',
  'groups',
  'property-store',
  'history',
  'revenue',
  'notifications',
  'privacy',
  'competitors',
  'events',
  'subscriptions',
  'webhooks',
  'channels',
  'agents',
  'imports',
  'live',
  'demo',
  'sandbox',
] as const;

/** What every subject is about, as the kernel: the record of a reservation, which itself imports types only. */
const COMMON = new Set(['src/stay/rules/reservation.ts']);

/** Steps back in the order of the subjects that are meant: from what to what, and why. */
const BACK: Record<string, readonly string[]> = {
  // A property is created with its three rate plans.
  'src/properties/operations/set-up-property.ts': ['src/rates/rules/rate-plan.ts'],
  // An enum's column lists its values.
  'src/platform/database/entities/properties.ts': [
    'src/properties/rules/property.ts',
    'src/rates/rules/rate-plan.ts',
  ],
  'src/platform/database/entities/reservations.ts': ['src/money/rules/payment.ts'],
};

/** Steps across layers that are meant. */
const ACROSS: Record<string, readonly string[]> = {
  // A column whose values are packed by who reads and writes them.
  'src/platform/database/entities/reservations.ts': ['src/stay/storage/packed-night.ts'],
};

/** What no layer decides: plain values and the process's own settings. */
const EVERYWHERE = new Set([
  'src/platform/telemetry/telemetry.ts',
  'src/platform/telemetry/redaction.ts',
  'src/platform/config/environment.ts',
  'src/platform/config/config.ts',
]);

const root = resolve(import.meta.dirname, '..');
const folders = ['src', 'actors', 'gateways', 'migrations', 'load-tests', 'packages', 'test', 'k6'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.(ts|tsx|mjs)$/.test(entry.name) &&
        !/node_modules|client\/(dist|src\/generated)|\.d\.mts$/.test(entry.parentPath + entry.name),
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
  /\.test\.tsx?$/.test(file) || /(^|\/)(testing|simulation)(\/|\.)/.test(file);
const inside = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

function layerOf(file: string): Layer {
  const [top, subject = '', inner = ''] = file.split('/');
  if (isTest(file) && !inside(file, 'actors/simulation')) return 'testing';
  if (top === 'packages') return 'client';
  if (top === 'actors') return inside(file, 'actors/simulation') ? 'simulation' : 'actors';
  if (top === 'gateways') return subject === 'dashboard' ? 'dashboard' : 'gateways';
  if (top === 'migrations') return 'migrations';
  if (top !== 'src') return 'testing';
  if (file.endsWith('/ports.ts') || file === 'src/kernel/property-actors.ts') return 'ports';
  if (inside(file, 'src/platform/coordination/contracts')) return 'contracts';
  if (subject === 'platform') return 'platform';
  // Catalogues of texts are plain values.
  if (inner === 'messages' && file.endsWith('.json')) return 'rules';
  // A program of src/ itself, and what connects the parts.
  if (inner === '' || subject === 'wiring' || subject === 'commands') return 'wiring';
  if (!SUBJECTS.includes(subject as never) || !Object.hasOwn(LAYERS, inner))
    throw new Error(`${file} is in no layer`);
  return inner as Layer;
}

const subjectOf = (file: string): number =>
  file.startsWith('src/') && layerOf(file) !== 'testing' ? SUBJECTS.indexOf(file.split('/')[1] as never) : -1;

void t.test('each file imports only what its layer may', async (t) => {
  const wrong: string[] = [];
  for (const file of files) {
    const layer = layerOf(file);
    const may: readonly string[] | null = LAYERS[layer];
    if (may === null) continue;
    for (const target of ours(file)) {
      const to = layerOf(target);
      if (to !== layer && !may.includes(to) && !EVERYWHERE.has(target) && !ACROSS[file]?.includes(target))
        wrong.push(`${file} imports ${target}`);
    }
  }
  t.same(wrong, []);
});

void t.test('each subject knows only those before it; the kernel names the types of all', async (t) => {
  const wrong: string[] = [];
  for (const file of files) {
    const subject = subjectOf(file);
    if (subject === -1) continue;
    const targets = ['kernel', 'platform'].includes(SUBJECTS[subject]!) ? atRunTime(file) : ours(file);
    for (const target of targets)
      if (subjectOf(target) > subject && !COMMON.has(target) && !BACK[file]?.includes(target))
        wrong.push(`${file} imports ${target}`);
  }
  t.same(wrong, []);
});

/** Programs of threads, which are started by their address. */
const PROGRAMS_OF_THREADS = new Set([
  'src/wiring/worker/worker.ts',
  'src/wiring/demo/past-worker.ts',
  'src/platform/coordination/lease-thread.ts',
]);

void t.test('every product file is reached from a program: what only research uses is in load-tests/', async (t) => {
  const programs = files.filter(
    (file) =>
      /^src\/(main|launch)\.|^src\/commands\/|^gateways\/dashboard\/(main|early\/early-script)\.|^gateways\/guest-pages\/browser\//.test(
        file,
      ) ||
      PROGRAMS_OF_THREADS.has(file) ||
      file.endsWith('/strip-types.mjs'),
  );
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file) || !texts.has(file)) return;
    reached.add(file);
    for (const target of ours(file)) visit(target);
  };
  for (const program of programs) visit(program);
  const product = files.filter(
    (one) => /^(src|actors|gateways)\//.test(one) && layerOf(one) !== 'testing' && !isTest(one),
  );
  t.same(
    product.filter((file) => !reached.has(file) && !file.endsWith('.d.ts')),
    [],
  );
});

void t.test('pages have the types of answers, and none of their schemas', async (t) => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const target of atRunTime(file)) visit(target);
  };
  visit('gateways/dashboard/main.tsx');
  t.ok(reached.size > 50, 'the page is followed');
  t.same(
    [...reached].filter(
      (file) => file.endsWith('-answers.ts') || /^import (?!type)[^;]*'zod'/m.test(texts.get(file)!),
    ),
    [],
  );
});

void t.test('a folder of a subject holds what one can look over: at most 25 files, tests not counted', async (t) => {
  const counts = new Map<string, number>();
  for (const file of files.filter((one) => /^(src|actors|gateways)\//.test(one) && !/\.test\.tsx?$/.test(one)))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  t.same(
    [...counts].filter(([, count]) => count > 25),
    [],
  );
});

void t.test('worlds and fakes are imported by tests, load tests and simulations only', async (t) => {
  const users = files.filter((file) => ours(file).some((target) => inside(target, 'src/testing')));
  t.same(
    users.filter((file) => !isTest(file) && !inside(file, 'load-tests') && !inside(file, 'test')),
    [],
  );
});

void t.test('actors and gateways never import each other', async (t) => {
  const wrong = files.flatMap((file) => {
    if (isTest(file) || layerOf(file) === 'wiring') return [];
    const other = inside(file, 'actors') ? 'gateways' : inside(file, 'gateways') ? 'actors' : undefined;
    return ours(file).flatMap((target) => (other && inside(target, other) ? [`${file} imports ${target}`] : []));
  });
  t.same(wrong, []);
});

void t.test('rules know neither Node nor a package', async (t) => {
  const rules = files.filter((one) => layerOf(one) === 'rules');
  t.ok(rules.length > 100, `${rules.length} files of rules`);
  for (const file of rules)
    t.same(
      imports(file).filter((name) => !name.startsWith('.')),
      [],
      file,
    );
});

void t.test('rules, contracts, ports, operations and actors know no framework', async (t) => {
  const frameworks = /^(@nestjs|fastify|@fastify|pg$|@mikro-orm|socket\.io|kafkajs|redis|bullmq)/;
  for (const file of files)
    if (['rules', 'contracts', 'ports', 'operations', 'actors'].includes(layerOf(file)))
      t.same(
        imports(file).filter((name) => frameworks.test(name)),
        [],
        file,
      );
});

/** Load tests that measure a part of the product inside their own process. All others know it from outside. */
const IN_PROCESS = new Set(
  ['actor', 'auth', 'events', 'first', 'forecast', 'rates', 'reservations', 'row-lock-baseline', 'yield'].map(
    (name) => `load-tests/${name}`,
  ),
);

void t.test('a load test knows the product from outside, but for those that measure a part of it', async (t) => {
  // One checker judges the histories of the simulation and those of real clusters.
  const outside = new Set<Layer>(['rules', 'client', 'contracts', 'ports', 'testing', 'simulation']);
  const wrong = files
    .filter((file) => inside(file, 'load-tests') && !isTest(file) && !IN_PROCESS.has(dirname(file)))
    .flatMap((file) =>
      ours(file)
        .filter((target) => /^(src|actors|gateways|migrations|packages)\//.test(target))
        .filter((target) => !outside.has(layerOf(target)) && !inside(target, 'src/platform/launch'))
        .map((target) => `${file} imports ${target}`),
    );
  t.same(wrong, []);
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

/** Not fields of a request: lines of an import, and rows that another system has written. */
const REPORTS_LINES = ['src/imports/rules', 'actors/property/imports', 'actors/property/reload.ts'];

void t.test('wrong fields are named wherever they are refused', (t) => {
  const unnamed = [...texts].flatMap(([file, text]) =>
    ['src', 'actors', 'gateways'].some((folder) => inside(file, folder)) && !isTest(file)
      ? [...text.matchAll(/new DomainError\('VALIDATION_FAILED',[\s\S]*?\);/g)]
          .filter(([refusal]) => !/\berrors\b/.test(refusal) && !REPORTS_LINES.some((one) => inside(file, one)))
          .map(([refusal]) => `${file}: ${refusal}`)
      : [],
  );
  t.same(unnamed, []);
  t.end();
});

void t.test('no file is over 500 lines', async (t) => {
  t.same(
    [...texts].filter(([, text]) => text.split('\n').length > 501).map(([file]) => file),
    [],
  );
});
