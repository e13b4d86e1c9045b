import { program } from 'commander';
import { spawn } from 'node:child_process';

import { SCRIPT } from '../../test/blackbox/launched.ts';
import { type Role, Service } from '../../test/blackbox/service.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { findSchemathesis } from './program.ts';

/** Checks of every answer: no error of the service, and nothing beyond its API description. */
const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';
/** Left out, because it would put the clock forward by years and run every job in between. */
const LEFT_OUT = '/dev/clock';

type Options = { examples: string; seed?: string; role: Role };

program
  .name('fuzz')
  .description(
    'Requests made of the OpenAPI documents of a throw-away service, right and wrong ones (schemathesis): no 5xx, no ' +
      'status, media type or body that the document does not name. Python 3 is needed.',
  )
  .option('--examples <n>', 'requests for each operation at most', '50')
  .option('--seed <n>', 'repeats a run')
  .option('--role <role>', 'role of the caller', 'OWNER')
  .action(main);

try {
  await program.parseAsync();
} catch (error) {
  console.error(`fuzz: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main({ examples, seed, role }: Options): Promise<void> {
  const schemathesis = findSchemathesis();
  console.log(`npm run ${SCRIPT}, on free ports, with data of its own`);
  const service = await Service.start({ ...NO_LIMITS, RATE_LIMIT_ADDRESS: '0' });
  try {
    const { rateUrl, reservationUrl } = service.dev;
    for (const url of [rateUrl, reservationUrl]) {
      const status = await run(schemathesis, service.dataDir, [
        'run',
        `${url}/v3/api-docs`,
        '--url',
        url,
        '--checks',
        CHECKS,
        '--max-examples',
        examples,
        '--phases',
        'examples,coverage,fuzzing',
        '--exclude-path',
        LEFT_OUT,
        '--continue-on-failure',
        '-H',
        `Authorization: Bearer ${service.token('demo', role)}`,
        '-H',
        'X-Tenant-ID: demo',
        '--warnings',
        'off',
        '--no-color',
        '--generation-database',
        'none',
        ...(seed === undefined ? [] : ['--seed', seed]),
      ]);
      if (status !== 0) process.exitCode = 1;
    }
  } finally {
    await service.remove();
  }
}

/** The token is a visible argument: it is for a service of this run alone, which ends in a minute. */
function run(command: string, folder: string, args: readonly string[]): Promise<number | null> {
  // Its cache is removed with the data of the service.
  const child = spawn(command, args, { cwd: folder, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}
