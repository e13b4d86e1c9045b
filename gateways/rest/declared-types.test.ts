import { globSync, readFileSync } from 'node:fs';
import { test } from 'tap';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT }).filter((file) => !file.includes('.test.'));

/** `@Body({ schema: createBody }) body: CreateBody`, also with what it is taken apart into. */
const DECLARED = /@(?:Body|Query|Param)\([^)]*?schema: (?:\w+\.)?(\w+) \}\)\s+(?:\w+|\{[^}]*\}): (?:\w+\.)?(\w+)/g;
const DECLARING = /@(?:Body|Query|Param)\([^)]*?schema:/g;
/** Neither answers JSON of ours: health in the shape of Spring, pages, files, texts of metrics. */
const WITHOUT_SCHEMA = new Set(['loggers', 'health', 'metrics', 'guestPages']);

const typeNameOf = (schema: string): string => schema.charAt(0).toUpperCase() + schema.slice(1);

void test('a parameter with a schema has the type that is inferred from it', async (t) => {
  const contracts = filesOf('src/**/contracts/*.ts').map(read).join('\n');
  let found = 0;
  for (const file of filesOf('gateways/rest/**/*.ts')) {
    const text = read(file);
    const declared = [...text.matchAll(DECLARED)];
    t.equal(declared.length, text.match(DECLARING)?.length ?? 0, `${file}: each is understood`);
    for (const [, schema = '', type = ''] of declared) {
      found++;
      t.equal(type, typeNameOf(schema), `${file}: the type of ${schema}`);
      const inferred = `type ${type} = z.infer<typeof ${schema}>`;
      // Routes that are made for a kind of record are given both: the compiler holds them together.
      const given = `${schema}: z.ZodType<${type}>;`;
      t.ok(contracts.includes(inferred) || text.includes(given), `${file}: ${type} is what ${schema} makes`);
    }
  }
  t.ok(found > 60, 'declarations are found');
});

void test('a handler of the API says what it answers', async (t) => {
  for (const file of filesOf('gateways/rest/*/*.ts')) {
    const text = read(file);
    const name = file.replace(/.*\/|\.ts$/g, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (WITHOUT_SCHEMA.has(name)) continue;
    const pages = text.match(/^ +@ApiExcludeEndpoint\(/gm)?.length ?? 0;
    const handlers = (text.match(/^ +@(?:Get|Post|Put|Patch|Delete)\(/gm)?.length ?? 0) - pages;
    t.equal(text.match(/^ +@Answers\(/gm)?.length ?? 0, handlers, file);
    t.notMatch(text, /Promise<unknown>/, `${file}: nothing is answered that no schema names`);
  }
});
