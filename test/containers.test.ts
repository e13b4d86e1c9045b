import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';

import { environment } from '../src/platform/config/environment.ts';

const ROOT = resolve(import.meta.dirname, '..');
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

type Compose = {
  services: Record<string, { environment?: Record<string, string>; volumes?: string[]; image?: string }>;
};
const { services } = parse(text('docker-compose.yml'), { merge: true }) as Compose;
const known = new Set([...Object.keys(environment.shape), 'INNKEEPER_ALLOW_NET']);

t.test('compose sets variables that there are, and mounts files that there are', async (t) => {
  for (const name of ['node-1', 'node-2', 'migrate'])
    t.same(
      Object.keys(services[name]!.environment!).filter((variable) => !known.has(variable)),
      [],
      name,
    );
  const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes);
  const files = mounted.map((one) => one.split(':')[0]!).filter((file) => file.startsWith('./'));
  t.ok(files.length > 4);
  for (const file of files) t.ok(existsSync(join(ROOT, file)), file);
});

t.test('nothing is taken in whatever version there is', async (t) => {
  for (const { image } of Object.values(services)) t.match(image, /^innkeeper$|:[\w.-]*\d/);
  for (const [, image] of text('Dockerfile').matchAll(/^ARG \w+_IMAGE=(.*)$/gm)) t.match(image, /:[\w.-]+$/);
});

t.test('the chart sets variables that there are', async (t) => {
  const folder = 'ops/helm/innkeeper/templates';
  const templates = readdirSync(join(ROOT, folder)).map((file) => text(join(folder, file)));
  const set = templates.flatMap((one) => [...one.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name]) => name!));
  t.ok(set.length > 5);
  t.same(
    set.filter((name) => !known.has(name) && name !== 'POD_IP'),
    [],
  );
});

t.test('the image has what the service may read', async (t) => {
  const files = text('ops/container/image-files.mjs');
  const [, sources = ''] = /const sources = \[([^\]]*)\]/.exec(text('src/platform/launch/permissions.mjs')) ?? [];
  const read = [...sources.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
  t.ok(read.length > 5);
  for (const name of read.filter((one) => one !== 'node_modules')) t.ok(files.includes(`'${name}'`), name);
});

t.test('the version is one everywhere', async (t) => {
  const { version } = JSON.parse(text('package.json')) as { version: string };
  t.match(JSON.parse(text('packages/client/package.json')), { version });
  t.match(parse(text('ops/helm/innkeeper/Chart.yaml')), { version, appVersion: version });
});
