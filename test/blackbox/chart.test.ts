import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

import { cached } from '../services/cache.ts';
import { findProgram } from '../services/debian.ts';
import { pythonPrograms } from '../services/python.ts';

t.setTimeout(600_000);

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

/** docs/guide/containers.md#kubernetes */
void t.test('the chart is right by the schemas of Kubernetes', async (t) => {
  const helm = findHelm();
  const validate = join(pythonPrograms(['kubernetes-validate==1.37.0']), 'kubernetes-validate');
  t.match(execFileSync(helm, ['lint', '--strict', chart], { encoding: 'utf8' }), '0 chart(s) failed');
  const file = join(tmpdir(), `innkeeper-chart-${process.pid}.yaml`);
  t.teardown(() => rmSync(file, { force: true }));
  const check = (version: string) => {
    const { status, stdout, stderr } = spawnSync(validate, ['--strict', '-k', version.slice(0, 4), file], {
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  for (const version of KUBERNETES)
    for (const settings of [
      [],
      ['ingress.enabled=true'],
      ['migrations.enabled=false', 'networkPolicy.enabled=false'],
    ]) {
      const sets = settings.flatMap((one) => ['--set', one]);
      const made = execFileSync(helm, ['template', 'hotel', chart, '--kube-version', version, ...sets]);
      writeFileSync(file, made);
      const { status, said } = check(version);
      t.equal(status, 0, `${version} ${settings.join(' ')}: ${said}`);
      t.ok(said.split('passed for').length > 5, 'the resources are found');
    }
  writeFileSync(file, readFileSync(file, 'utf8').replace('replicas:', 'replicaz:'));
  t.not(check(KUBERNETES[0]!).status, 0, 'a field that there is not is found');
});
