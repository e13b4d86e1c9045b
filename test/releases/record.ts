import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { serviceClock } from '../blackbox/property.ts';
import { Service } from '../blackbox/service.ts';
import { Checkout } from './checkout.ts';
import { pack } from './packed.ts';
import { readAll } from './reading.ts';
import { databaseOf, folderOf, setClock, writeExpected } from './release-data.ts';
import { runOn } from './restored.ts';
import { play } from './scene.ts';

/** Years ahead: a clock is never behind the real time, and tests put it to the moment of the recording. */
const CLOCK = '2031-03-04T10:00:00.000Z';

/**
 * `npm run release:record -- --commit <commit> --name <release>`: runs the sources of a release, plays a scene on it,
 * and stores its backup and what it answers (docs/guide/testing.md#data-of-releases).
 */
const { values } = parseArgs({ options: { commit: { type: 'string' }, name: { type: 'string' } } });
if (!values.commit || !values.name) throw new Error('npm run release:record -- --commit ec9d4e20 --name 0.1.0');
await record(values.commit, values.name);

async function record(commit: string, name: string): Promise<void> {
  using checkout = new Checkout(commit);
  const service = await Service.prepare();
  service.launchOptions = checkout.launchOptions;
  const run = async (script: string, args: string[] = []): Promise<void> => {
    const { code, output } = await runOn(service, script, args);
    if (code !== 0) throw new Error(`npm run ${script}: ${output}`);
  };
  try {
    await run('migrate');
    await setClock(service, CLOCK);
    await service.up();
    const scene = await play(service);
    const reading = await readAll(service, scene);
    const { now } = await serviceClock(service);
    await service.terminate();
    const backup = join(service.dataDir, 'backups', 'recorded');
    await run('backup', ['--', '--to', backup]);
    mkdirSync(folderOf(name), { recursive: true });
    pack(backup, databaseOf(name));
    writeExpected(name, { commit, now, scene, reading });
    console.log(`${Object.keys(reading).length} answers of ${commit} at ${now}`);
  } finally {
    await service.remove();
  }
}
