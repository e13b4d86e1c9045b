import { Command, InvalidArgumentError, Option } from 'commander';

import { ROLES } from '../../src/kernel/rules/caller.ts';
import type { Role } from '../../test/blackbox/service.ts';
import { numberOption } from '../options.ts';
import { API_SERVICES, type ApiService, fuzzApi } from './api.ts';
import { fuzzLive, type LiveFuzzOptions } from './live/run.ts';

/** @throws InvalidArgumentError for a name that is none: a run of something else would be taken for one of it */
const listOf =
  <T extends string>(names: readonly T[]) =>
  (text: string): T[] =>
    text.split(',').map((part) => {
      const known = names.find((name) => name === part);
      if (known === undefined) throw new InvalidArgumentError(`names of ${names.join(', ')}`);
      return known;
    });

const program = new Command('fuzz').description(
  'Wrong and odd input from programs that are not ours, and from ours.',
);

type GivenApi = {
  examples: string;
  seed?: string;
  roles: Role[];
  services: ApiService[];
  phases: string;
  seconds?: string;
};

program
  .command('api', { isDefault: true })
  .description(
    'Requests made of the OpenAPI documents of a throw-away service (schemathesis), judged by all of its checks: no ' +
      '5xx, no status, media type, header or body that the document does not name, no wrong request taken, no right ' +
      'one refused without a rule, no route without its token. Python 3 is needed.',
  )
  .option('--examples <n>', 'requests for each operation at most', '20')
  .option('--seed <n>', 'repeats a run')
  .option<Role[]>('--roles <names>', 'of the callers', listOf(ROLES), ['ADMIN', 'VIEWER'])
  .option<ApiService[]>('--services <names>', 'of these', listOf(API_SERVICES), [...API_SERVICES])
  .option('--phases <names>', 'of schemathesis', 'examples,coverage,fuzzing,stateful')
  .option('--seconds <n>', 'for each service and role at most')
  .action(async (given: GivenApi) => {
    process.exitCode = (await fuzzApi(given)) ? 0 : 1;
  });

program
  .command('live')
  .description(
    'Random, changed, truncated, reordered, huge and slow frames over WebSocket and socket.io, beside healthy ' +
      'dashboards that must see every change: no crash, no 500, no leak.',
  )
  .option('--minutes <count>', 'of attacks', numberOption, 3)
  .option('--attackers <count>', 'at a time', numberOption, 24)
  .option('--seed <n>', 'of what is sent', numberOption, Date.now() % 1_000_000)
  .addOption(new Option('--runtime <name>', 'of the service').choices(['deno', 'node']).default('deno'))
  .action(async (given: LiveFuzzOptions) => {
    process.exitCode = (await fuzzLive(given)) ? 0 : 1;
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error(`fuzz: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.exit();
