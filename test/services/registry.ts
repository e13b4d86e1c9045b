import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { fetchRegistry, type Say } from './cache.ts';
import { requireProgram } from './debian.ts';
import type { Ledger } from './ledger.ts';
import { Program } from './program.ts';

const ASK_WITHIN_MS = 2_000;

/** Apicurio Registry with Confluent's interface; what it has been given is on disk. */
export class Registry extends Program {
  /** What SCHEMA_REGISTRY_URL would be. */
  readonly url: string;

  private constructor(ledger: Ledger, folder: string, port: number) {
    const data = join(ledger.folder, 'registry');
    mkdirSync(data, { recursive: true });
    const url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
    const settings = {
      'quarkus.http.host': '127.0.0.1',
      'quarkus.http.port': port,
      'quarkus.http.access-log.enabled': false,
      'quarkus.log.level': 'WARN',
      'apicurio.storage.kind': 'sql',
      'apicurio.storage.sql.kind': 'h2',
      // Every statement is on disk when it is answered, as a test that kills the registry expects.
      'apicurio.datasource.url': `jdbc:h2:file:${join(data, 'registry')};WRITE_DELAY=0`,
      'apicurio.datasource.jdbc.initial-size': 2,
      'apicurio.datasource.jdbc.min-size': 2,
    };
    const program = readdirSync(folder).find((name) => name.endsWith('-runner.jar'));
    if (program === undefined) throw new Error(`there is no program in ${folder}: delete it`);
    super(ledger, {
      name: 'registry',
      cwd: folder,
      command: [
        requireProgram('java'),
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        '-Xmx256m',
        `-Djava.io.tmpdir=${data}`,
        ...Object.entries(settings).map(([name, value]) => `-D${name}=${value}`),
        '-jar',
        program,
      ],
      ready: () => isReady(url),
    });
    this.url = url;
  }

  static async start(ledger: Ledger, say: Say): Promise<Registry> {
    const folder = fetchRegistry(say);
    const [port] = (await freePorts(1)) as [number];
    const registry = new Registry(ledger, folder, port);
    await registry.start();
    await makeUsual(registry.url);
    return registry;
  }
}

/** Confluent's level for subjects without one of their own; Apicurio's is NONE. */
async function makeUsual(url: string): Promise<void> {
  const answer = await fetch(`${url}/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ compatibility: 'BACKWARD' }),
    signal: AbortSignal.timeout(ASK_WITHIN_MS),
  });
  if (!answer.ok) throw new Error(`the registry does not take a level: ${answer.status} ${await answer.text()}`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(ASK_WITHIN_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
