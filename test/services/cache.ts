import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { requireProgram } from './debian.ts';

/** Kafka 4 dropped old versions of its protocol; `kafkajs.test.ts` passes with 4.1.1 as well. */
export const KAFKA_VERSION = '3.9.1';
/** The last one that runs on Java 17; it offers Confluent's interface below `/apis/ccompat/v7`. */
export const REGISTRY_VERSION = '3.0.9';

const DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin';
/** Later ones want the parent of what they copy, and that of the registry was never published. */
const COPIES_WITHOUT_PARENT = '2.8';

/** The broker, the command line tools, and a logger: without one its complaints go nowhere. */
const KAFKA_JARS = [
  `org.apache.kafka:kafka_2.13:${KAFKA_VERSION}`,
  `org.apache.kafka:kafka-tools:${KAFKA_VERSION}`,
  'org.slf4j:slf4j-simple:1.7.36',
];

export type Say = (line: string) => void;

/** A folder outside of the repository, one a version. */
export const cached = (name: string): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'innkeeper', name);

const kafkaFolder = cached(`kafka-${KAFKA_VERSION}`);
const registryFolder = cached(`apicurio-registry-${REGISTRY_VERSION}`);

/** Whether a part can be started at once, without fetching it. */
export const isFetched = { kafka: () => existsSync(kafkaFolder), registry: () => existsSync(registryFolder) };

/** Folder with the jars of Apache Kafka, fetched from Maven Central at the first call. */
export function fetchKafka(say: Say): string {
  return fetched(kafkaFolder, `Apache Kafka ${KAFKA_VERSION} (46 MB)`, say, (folder, work) => {
    writeFileSync(join(work, 'pom.xml'), pom(KAFKA_JARS));
    maven(work, [
      `${DEPENDENCY_PLUGIN}:3.8.1:copy-dependencies`,
      '-DincludeScope=runtime',
      `-DoutputDirectory=${folder}`,
    ]);
  });
}

/** Folder of Apicurio Registry, fetched from Maven Central at the first call. */
export function fetchRegistry(say: Say): string {
  return fetched(registryFolder, `Apicurio Registry ${REGISTRY_VERSION} (109 MB)`, say, (folder, work) => {
    const artifact = `io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`;
    const goal = `${DEPENDENCY_PLUGIN}:${COPIES_WITHOUT_PARENT}:copy`;
    maven(work, [goal, `-Dartifact=${artifact}`, `-DoutputDirectory=${work}`]);
    run(work, 'tar', ['xzf', `apicurio-registry-app-${REGISTRY_VERSION}-all.tar.gz`, '-C', folder]);
  });
}

/** Renamed into place when whole, since two may fetch at the same time. */
function fetched(folder: string, what: string, say: Say, fetch: (folder: string, work: string) => void): string {
  if (existsSync(folder)) return folder;
  const began = performance.now();
  const work = `${folder}.${process.pid}`;
  const unfinished = join(work, 'made');
  say(`fetching ${what} into ${folder}; this is done once`);
  mkdirSync(unfinished, { recursive: true });
  try {
    fetch(unfinished, work);
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  say(`fetched in ${Math.round((performance.now() - began) / 1000)} s`);
  return folder;
}

function maven(work: string, args: readonly string[]): void {
  run(work, requireProgram('mvn'), ['-B', '-q', '-ntp', ...args]);
}

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

function pom(coordinates: readonly string[]): string {
  const dependencies = coordinates.map((one) => {
    const [group, artifact, version] = one.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>innkeeper</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${dependencies.join('\n')}</dependencies></project>\n`;
}
