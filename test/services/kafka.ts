import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadKafkaJs } from '../../src/platform/messaging/kafkajs.ts';
import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { fetchKafka, type Say } from './cache.ts';
import { requireProgram } from './debian.ts';
import type { Ledger } from './ledger.ts';
import { Program } from './program.ts';

const { Kafka: Client, logLevel } = loadKafkaJs();

/** Any 16 bytes in base64: the data belongs to one test. */
const CLUSTER_ID = 'aW5ua2VlcGVydGVzdHNzcw';
const ASK_WITHIN_MS = 2_000;

/**
 * Quick to begin, small, and quiet: this is one broker of a machine that does other things as well. It lives too short
 * to earn what the second compiler costs.
 */
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];

/** A broker: its number, where it listens, and the controller that its cluster votes for. */
type Node = { id: number; port: number; controller: number; copies: number; folder: string };

/** Apache Kafka, one node in KRaft mode, topics made at first use. */
export class Kafka extends Program {
  /** What KAFKA_BROKERS would be. */
  readonly brokers: string;
  readonly #jars: string;

  private constructor(ledger: Ledger, jars: string, node: Node, file: string, brokers: number) {
    const address = `127.0.0.1:${node.port}`;
    const command = [requireProgram('java'), ...JVM, '-Xmx512m', '-cp', join(jars, '*'), 'kafka.Kafka', file];
    super(ledger, {
      name: node.id === 1 ? 'kafka' : `kafka-${node.id}`,
      command: command as [string, ...string[]],
      ready: () => isReady(address, brokers),
    });
    this.brokers = address;
    this.#jars = jars;
  }

  static async start(ledger: Ledger, say: Say): Promise<Kafka> {
    const [port, controller] = (await freePorts(2)) as [number, number];
    return Kafka.#started(ledger, say, { id: 1, port, controller, copies: 1, folder: 'kafka' }, 1);
  }

  /** Two brokers with a copy of each partition; the first one is the controller. The second one may die. */
  static async startPair(ledger: Ledger, say: Say): Promise<[Kafka, Kafka]> {
    const [first, second, controller] = (await freePorts(3)) as [number, number, number];
    const one = { id: 1, port: first, controller, copies: 2, folder: 'kafka' };
    const other = { id: 2, port: second, controller, copies: 2, folder: 'kafka-2' };
    return [await Kafka.#started(ledger, say, one, 1), await Kafka.#started(ledger, say, other, 2)];
  }

  static async #started(ledger: Ledger, say: Say, node: Node, brokers: number): Promise<Kafka> {
    const jars = fetchKafka(say);
    const folder = join(ledger.folder, node.folder);
    const file = join(folder, 'server.properties');
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, properties(node, join(folder, 'data')));
    if (!existsSync(join(folder, 'data', 'meta.properties')))
      java(jars, ['kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', file]);
    const kafka = new Kafka(ledger, jars, node, file, brokers);
    await kafka.start();
    return kafka;
  }

  /**
   * What is in a topic, read by Kafka's own console consumer: a line a record, `partition offset key headers value`
   * separated by tabs. Values are Avro, so read them with `readTopic`; this one shows keys, headers and order.
   */
  consoleConsumer(topic: string, { quietMs = 3_000 } = {}): string {
    const shown = ['partition', 'offset', 'key', 'headers'].map((name) => `--property=print.${name}=true`);
    return java(this.#jars, [
      'org.apache.kafka.tools.consumer.ConsoleConsumer',
      '--bootstrap-server',
      this.brokers,
      '--topic',
      topic,
      '--from-beginning',
      '--timeout-ms',
      String(quietMs),
      ...shown,
    ]);
  }
}

/** It listens before it has elected itself, so a producer's first request is sent. */
async function isReady(address: string, wanted: number): Promise<boolean> {
  const admin = new Client({
    brokers: [address],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: ASK_WITHIN_MS,
    requestTimeout: ASK_WITHIN_MS,
  }).admin();
  try {
    await admin.connect();
    const { brokers, controller } = await admin.describeCluster();
    return brokers.length >= wanted && controller !== null;
  } catch {
    return false;
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

function java(jars: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(requireProgram('java'), [...JVM, '-cp', join(jars, '*'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

function properties({ id, port, controller, copies }: Node, data: string): string {
  const controls = id === 1;
  return Object.entries({
    'process.roles': controls ? 'broker,controller' : 'broker',
    'node.id': id,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port}${controls ? `,CONTROLLER://127.0.0.1:${controller}` : ''}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'log.dirs': data,
    'auto.create.topics.enable': true,
    'num.partitions': 3,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    // As many copies as brokers; one of them is enough to accept a record while the other broker is away.
    'default.replication.factor': copies,
    'min.insync.replicas': 1,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': 1,
    // A partition is a folder and three files: fifty of them for offsets make every start slow.
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.num.partitions': 4,
    // A group begins when its first member is there; a broker that was killed is taken back at once.
    'group.initial.rebalance.delay.ms': 0,
    'broker.session.timeout.ms': 1_000,
    'broker.heartbeat.interval.ms': 200,
    // Room for the records of 1 MB that tests send.
    'message.max.bytes': 4_000_000,
    'num.network.threads': 2,
    'num.io.threads': 4,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
