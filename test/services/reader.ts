import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { cached, type Say } from './cache.ts';
import { requireProgram } from './debian.ts';

/** A record as somebody else read it; `error` stands where its value is no Avro of a registered schema. */
export type ReadRecord = {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly timestamp: number;
  readonly schemaId?: number;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  /** A record without a value. */
  readonly tombstone?: true;
};

/** Neither has a line in common with kafkajs or avsc. */
const PACKAGES = ['confluent-kafka[avro,schemaregistry]==2.16.1', 'fastavro==1.13.1'];
const FOLDER = cached('kafka-reader-2.16.1-registry');
const SCRIPT = fileURLToPath(new URL('read-topic.py', import.meta.url));

/**
 * Everything that is in topics now, read by librdkafka and decoded by fastavro; in order within each partition.
 * @throws Error when Python cannot be had, or the broker or the registry does not answer
 */
export async function* readTopics(
  { kafka, registry }: { kafka: string; registry: string },
  topics: readonly string[],
  say: Say = () => {},
): AsyncGenerator<ReadRecord> {
  const child = spawn(python(say), [SCRIPT, kafka, registry, ...topics], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  try {
    for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as ReadRecord;
    const [code] = await closed;
    if (code !== 0) throw new Error(`the reader ended with ${code}: ${errors}`);
  } finally {
    child.kill();
  }
}

/** A Python with these packages, installed at the first call as pip's own settings say. */
function python(say: Say): string {
  const program = join(FOLDER, 'bin', 'python');
  if (existsSync(join(FOLDER, 'whole'))) return program;
  say(`installing ${PACKAGES.join(', ')} into ${FOLDER}; this is done once`);
  rmSync(FOLDER, { recursive: true, force: true });
  run(requireProgram('python3'), ['-m', 'venv', FOLDER]);
  run(program, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  // A virtual environment knows its own path and cannot be moved into place when it is whole.
  writeFileSync(join(FOLDER, 'whole'), '');
  return program;
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
}
