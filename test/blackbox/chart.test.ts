import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { parseAllDocuments } from 'yaml';

import { cached } from '../services/cache.ts';
import { findProgram } from '../services/debian.ts';
import { pythonPrograms } from '../services/python.ts';

// Without a helm on the PATH the first run makes one.
t.setTimeout(1_800_000);

const HELM = 'v3.19.0';
/** The oldest Kubernetes of the chart, and the newest that is checked. */
const KUBERNETES = ['1.30.0', '1.34.0'];
const chart = join(import.meta.dirname, '../../ops/helm/innkeeper');

/** helm: the one on the PATH, else one that Go makes at the first call. */
function findHelm(): string {
  const installed = findProgram('helm');
  if (installed !== undefined) return installed;
  const folder = cached(`helm-${HELM}`);
  const program = join(folder, 'helm');
  if (existsSync(program)) return program;
  const go = findProgram('go');
  if (go === undefined) throw new Error('helm is not on the PATH, and without Go it cannot be made');
  console.log(`making helm ${HELM} in ${folder}`);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder };
  execFileSync(go, ['install', `helm.sh/helm/v3/cmd/helm@${HELM}`], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  return program;
}

const helm = findHelm();

/** What a chart cannot know of a hotel. */
const REQUIRED = {
  'image.repository': 'registry.example/innkeeper',
  'oidc.issuer': 'https://id.example/realms/innkeeper',
  'publicUrls.live': 'https://hotel.example',
  'publicUrls.rate': 'https://hotel.example/rate',
  'publicUrls.reservation': 'https://hotel.example/reservation',
};
const INGRESS = { 'ingress.enabled': 'true', 'ingress.host': 'hotel.example' };

type Values = Readonly<Record<string, string>>;
type Made = { status: number | null; text: string; error: string };

const setting = (values: Values): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);

/** What the chart makes of values. @param more values as a file has them */
function made(values: Values, kubernetes = KUBERNETES[0]!, more = '{}'): Made {
  const args = ['template', 'hotel', chart, '--kube-version', kubernetes, '-f', '-', ...setting(values)];
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8', input: more });
  return { status, text: stdout, error: stderr };
}

type Resource = { kind: string; metadata: { name: string; annotations?: Values }; data?: Values; spec: never };

/** Resources of a kind. */
function resourcesOf({ text, error }: Made, kind: string): Resource[] {
  if (text === '') throw new Error(error);
  const documents = parseAllDocuments(text);
  for (const { errors } of documents) if (errors[0]) throw errors[0];
  return documents.map((one) => one.toJS() as Resource).filter((one) => one?.kind === kind);
}

/** docs/guide/containers.md#kubernetes */
void t.test('the chart is right by the schemas of Kubernetes', async (t) => {
  const validate = join(pythonPrograms(['kubernetes-validate==1.37.0']), 'kubernetes-validate');
  const linted = execFileSync(helm, ['lint', '--strict', chart, ...setting(REQUIRED)], { encoding: 'utf8' });
  t.match(linted, '0 chart(s) failed');
  const file = join(tmpdir(), `innkeeper-chart-${process.pid}.yaml`);
  t.teardown(() => rmSync(file, { force: true }));
  const check = (version: string) => {
    const { status, stdout, stderr } = spawnSync(validate, ['--strict', '-k', version.slice(0, 4), file], {
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  const variants: Values[] = [{}, INGRESS, { 'migrations.enabled': 'false', 'networkPolicy.enabled': 'false' }];
  for (const version of KUBERNETES)
    for (const values of variants) {
      writeFileSync(file, made({ ...REQUIRED, ...values }, version).text);
      const { status, said } = check(version);
      t.equal(status, 0, `${version} ${JSON.stringify(values)}: ${said}`);
      t.ok(said.split('passed for').length > 5, 'the resources are found');
    }
  writeFileSync(file, readFileSync(file, 'utf8').replace('replicas:', 'replicaz:'));
  t.not(check(KUBERNETES[0]!).status, 0, 'a field that there is not is found');
});

void t.test('values that are missing, misspelt, or cannot work are refused', async (t) => {
  t.equal(made(REQUIRED).status, 0);
  for (const name of Object.keys(REQUIRED)) t.match(made({ ...REQUIRED, [name]: '' }), { status: 1, error: name });
  const wrong: [Values, string | RegExp][] = [
    [{ replica: '2' }, 'replica'],
    [{ 'networkPolicy.egressPort': '{5433}' }, 'egressPort'],
    [{ drainSeconds: '0' }, 'drainSeconds'],
    [{ drainSeconds: '20' }, 'terminationGracePeriodSeconds'],
    [{ 'publicUrls.live': 'hotel.example' }, /publicUrls.?.live/],
    [{ 'settings.DATABASE_URL': 'postgres://u:p@db/innkeeper' }, 'settings.DATABASE_URL: a secret'],
    [{ 'settings.SECRET_KEYS': 'a:b' }, 'settings.SECRET_KEYS: a secret'],
    [{ 'settings.NODE_ENV': 'development' }, 'settings.NODE_ENV: the chart sets it'],
    [{ 'ingress.enabled': 'true' }, 'ingress.host'],
  ];
  for (const [values, error] of wrong)
    t.match(made({ ...REQUIRED, ...values }), { status: 1, error }, JSON.stringify(values));
});

void t.test('settings are written as they were said', async (t) => {
  const settings = { IMPORT_MAX_BYTES: 67_108_864, TRACE_RATIO: 0.25, DEMO: 0, LOG_LEVEL: 'info' };
  const [config] = resourcesOf(made(REQUIRED, KUBERNETES[0], JSON.stringify({ settings })), 'ConfigMap');
  t.match(config?.data, { IMPORT_MAX_BYTES: '67108864', TRACE_RATIO: '0.25', DEMO: '0', LOG_LEVEL: 'info' });
  t.match(config?.data, { NODE_ENV: 'production', TRUST_PROXY: '1' });
});

void t.test('a policy of the network without callers or ports is not one for everybody', async (t) => {
  const none = { ...REQUIRED, 'networkPolicy.ingressNamespaces': 'null', 'networkPolicy.egressPorts': 'null' };
  const [policy] = resourcesOf(made(none), 'NetworkPolicy');
  const { ingress, egress } = policy!.spec as Record<
    string,
    { from?: unknown[]; to?: unknown[]; ports?: unknown[] }[]
  >;
  t.equal(ingress!.length, 1);
  for (const { from, ports } of ingress!) t.ok(from?.length && ports?.length, 'names who and where');
  t.equal(egress!.length, 2);
  for (const { ports } of egress!) t.ok(ports?.length);
});

void t.test(
  'migrations run where nodes run, accounts are those that there are, imports pass the ingress',
  async (t) => {
    const placed = {
      'nodeSelector.pool': 'hotels',
      'tolerations[0].key': 'hotels',
      'serviceAccount.create': 'false',
    };
    const all = made({ ...REQUIRED, ...INGRESS, ...placed, 'ingress.annotations.own': 'yes' });
    for (const kind of ['Job', 'Deployment']) {
      const [{ spec } = { spec: undefined as never }] = resourcesOf(all, kind);
      t.match(spec, {
        template: { spec: { nodeSelector: { pool: 'hotels' }, tolerations: [{ key: 'hotels' }] } },
      });
    }
    t.match(resourcesOf(all, 'Deployment')[0]!.spec, { template: { spec: { serviceAccountName: 'default' } } });
    t.same(resourcesOf(all, 'ServiceAccount'), []);
    const ingresses = resourcesOf(all, 'Ingress');
    t.equal(ingresses.length, 3);
    for (const { metadata } of ingresses) t.match(metadata.annotations, { own: 'yes' });
    const reservation = ingresses.find(({ metadata }) => metadata.name === 'hotel-reservation');
    t.match(reservation?.metadata.annotations, { 'nginx.ingress.kubernetes.io/proxy-body-size': '256m' });
  },
);
