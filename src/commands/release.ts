import { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { releasedChangelog } from './release-changelog.ts';

/**
 * `npm run release -- 0.2.0`: gives this commit a version, and makes what is published of it in `release/`: sources, the
 * client's package, the chart, a bill of materials (CycloneDX), and their digests. It commits and tags; nothing leaves
 * this machine.
 */
const root = join(import.meta.dirname, '../..');
const folder = join(root, 'release');
const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/;
/** Files that say the version, and what stands before it. */
const VERSIONED: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package.json', /("version": ")[^"]+/],
  ['package-lock.json', /("name": "innkeeper",\s+"version": ")[^"]+/g],
  ['packages/client/package.json', /("version": ")[^"]+/],
  ['ops/helm/innkeeper/Chart.yaml', /^((?:version|appVersion): ).*/gm],
];

const program = new Command()
  .argument('<version>', 'such as 0.2.0')
  .option('--date <date>', 'day of the release', new Date().toISOString().slice(0, 10));
program.parse();
const [version = ''] = program.args;
const { date } = program.opts<{ date: string }>();

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 });
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (!VERSION.test(version)) throw new Error(`${version} is no version: expected one such as 0.2.0`);
if (run('git', 'status', '--porcelain') !== '') throw new Error('there are changes that are not committed');
if (run('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`v${version} is released already`);

rewrite('CHANGELOG.md', (text) => releasedChangelog(text, version, date));
for (const [file, pattern] of VERSIONED) rewrite(file, (text) => text.replace(pattern, `$1${version}`));
run('git', 'commit', '-qam', `chore(release): ${version}`);
run('git', 'tag', '-a', `v${version}`, '-m', `Innkeeper ${version}`);
say(`v${version} is ${run('git', 'rev-parse', 'HEAD').trim()}`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const name = `innkeeper-${version}`;
run('git', 'archive', '--format=tar.gz', `--prefix=${name}/`, '-o', join(folder, `${name}.tar.gz`), `v${version}`);
const chart = ['--prefix=innkeeper/', '-o', join(folder, `${name}-chart.tgz`), `v${version}:ops/helm/innkeeper`];
run('git', 'archive', '--format=tar.gz', ...chart);
run('npm', 'pack', './packages/client', '--silent', '--pack-destination', folder);
const sbom = run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev');
writeFileSync(join(folder, `${name}.cdx.json`), sbom);

const digests = readdirSync(folder).map((file) => {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
  return `${digest}  ${file}`;
});
writeFileSync(join(folder, 'SHA256SUMS'), `${digests.join('\n')}\n`);
for (const line of digests) say(line);
say(`next: git push --follow-tags, and the image:`);
say(
  `  docker build --build-arg VERSION=${version} --build-arg REVISION=$(git rev-parse HEAD) -t innkeeper:${version} .`,
);

function rewrite(file: string, change: (text: string) => string): void {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} does not say the version`);
  writeFileSync(path, after);
}
