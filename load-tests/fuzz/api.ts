import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { SCRIPT } from '../../test/blackbox/launched.ts';
import { must } from '../../test/blackbox/property.ts';
import { type Role, Service } from '../../test/blackbox/service.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { findSchemathesis } from './program.ts';

export type ApiOptions = {
  /** Requests for each operation at most. */
  examples: string;
  seed?: string;
  roles: readonly Role[];
  services: readonly ApiService[];
  phases: string;
  /** Seconds for each service and role at most: all phases stop then, and fuzzing and stateful testing go on until then. */
  seconds?: string;
};

export const API_SERVICES = ['rates', 'reservations'] as const;
export type ApiService = (typeof API_SERVICES)[number];

/** Left out, because it would put the clock forward by years and run every job in between. */
const LEFT_OUT = '/dev/clock';
const CONFIG = join(import.meta.dirname, 'schemathesis.toml');

/**
 * Requests made of the OpenAPI documents of a throw-away service, right and wrong ones, each answer judged by all checks
 * of schemathesis.
 * @returns whether none failed
 */
export async function fuzzApi(options: ApiOptions): Promise<boolean> {
  const schemathesis = findSchemathesis();
  console.log(`npm run ${SCRIPT}, on free ports, with data of its own`);
  const service = await Service.start({ ...NO_LIMITS, RATE_LIMIT_ADDRESS: '0' }, { isWatched: false });
  try {
    let isClean = true;
    for (const role of options.roles)
      for (const name of options.services) {
        const url = name === 'rates' ? service.dev.rateUrl : service.dev.reservationUrl;
        // Built at the first request, for which schemathesis would wait for 10 s only.
        must(await service.call('GET', `${url}/v3/api-docs`), 200);
        console.log(`${name} as ${role}`);
        const args = argumentsOf(url, service.token('demo', role), options);
        if ((await run(schemathesis, service.dataDir, args)) !== 0) isClean = false;
      }
    return isClean;
  } finally {
    await service.remove();
  }
}

function argumentsOf(url: string, token: string, { examples, seed, phases, seconds }: ApiOptions): string[] {
  return [
    '--config-file',
    CONFIG,
    'run',
    `${url}/v3/api-docs`,
    '--url',
    url,
    '--max-examples',
    examples,
    '--phases',
    phases,
    '--exclude-path',
    LEFT_OUT,
    '--continue-on-failure',
    '-H',
    `Authorization: Bearer ${token}`,
    '-H',
    'X-Tenant-ID: demo',
    '--warnings',
    'off',
    '--no-color',
    '--generation-database',
    'none',
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(seconds === undefined ? [] : ['--max-time', seconds]),
  ];
}

/** The token is a visible argument: it is for a service of this run alone, which ends in minutes. */
function run(command: string, folder: string, args: readonly string[]): Promise<number | null> {
  // Its cache is removed with the data of the service, and the folder of the hooks stays as it is.
  const hooks = {
    SCHEMATHESIS_HOOKS: 'failures',
    PYTHONPATH: import.meta.dirname,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(command, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...hooks } });
  // An interrupted run leaves no program behind whose service is gone.
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('exit', stop);
      resolve(code);
    });
  });
}
