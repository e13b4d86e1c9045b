import { setTimeout as pause } from 'node:timers/promises';

import { developmentKeys } from '../gateways/auth/development-keys.ts';
import { mintDevelopmentTokens } from '../gateways/auth/mint.ts';
import { hasActors } from './kernel/rules/placement.ts';
import { type Config, loadConfig } from './platform/config/config.ts';
import { isDiskFullError } from './platform/config/write-whole.ts';
import { DatabaseFailure } from './platform/database/failure.ts';
import { exitCodes } from './platform/launch/exit-codes.mjs';
import { LogOutput } from './platform/telemetry/log-output.ts';
import { openTracing } from './platform/telemetry/open-tracing.ts';
import { createLog, defaultLevel, Loggers, standardError } from './platform/telemetry/telemetry.ts';
import { openContext } from './wiring/context.ts';
import {
  type DevelopmentFacts,
  removeDevFile,
  removeReadyMarker,
  statusBlock,
  writeDevFile,
  writeReadyMarker,
} from './wiring/dev-file.ts';
import { endInTime, leaveCluster } from './wiring/draining.ts';
import { type Listening, serve } from './wiring/serve.ts';

/** Interval at which a start checks whether health is UP. */
const HEALTH_LOOK_MS = 200;

/**
 * Starts everything, waits for a signal, drains, ends with 0; a start that fails says why in a line and ends with 1,
 * or with 75 where the database is away.
 */
async function main(): Promise<number> {
  const stopping = signalled();
  const config = loadConfig(process.env);
  const log = createLog({ level: config.LOG_LEVEL ?? defaultLevel(), name: 'innkeeper' });
  const loggers = new Loggers(log);
  if (!config.production) removeDevFile(config);
  await using stack = new AsyncDisposableStack();
  const tracer = stack.use(await openTracing(config, log));
  const context = stack.use(await openContext(config, loggers, tracer));
  const { cluster } = context;
  // A node without actors might be the only one, and then the properties would have no owner.
  const seeds = config.developmentParts && config.DEMO !== '0' && hasActors(config.NODE_ROLE);
  if (seeds && !cluster) await context.seed(config.issuer);
  const listening = stack.use(await serve(context));
  await cluster?.join();
  // Its properties may be placed on other nodes.
  if (seeds && cluster) await context.seed(config.issuer);
  writeReadyMarker(config);
  context.begin();
  const listenerFailed = listening.listenerFailed.then((listener) => ({ listener }));
  const ending = Promise.race([stopping.then((signal) => ({ signal })), listenerFailed]);
  await announce(config, listening, ending);
  const why = await ending;
  log.info(why, 'draining');
  const code = 'signal' in why ? 0 : exitCodes.listenerDead;
  endInTime(log, () => process.exit(code));
  context.quieten();
  // Before the file goes: who sees readiness UP finds it.
  listening.markLeaving();
  removeReadyMarker(config);
  if (!config.production) removeDevFile(config);
  if (cluster) await leaveCluster(listening, cluster);
  return code;
}

/**
 * Says that everything is up, unless the process ends before. The file is renamed into place once health is UP, and
 * readiness follows in the same tick of the event loop: nothing is answered between the two, so that a client that
 * sees one of them can rely on the other.
 */
async function announce(config: Config, listening: Listening, ending: Promise<unknown>): Promise<void> {
  const facts = config.production ? undefined : { ...(await mintedFor(config)), basic: listening.basic };
  const isEnding = async (): Promise<boolean> =>
    Promise.race([ending.then(() => true), pause(HEALTH_LOOK_MS, false)]);
  while (!(await listening.isUp())) if (await isEnding()) return;
  if (facts) writeDevFile(config, facts);
  listening.ready();
  new LogOutput({ fd: 1, atOnce: true }).write(statusBlock(config, listening.basic));
}

async function mintedFor(config: Config): Promise<Pick<DevelopmentFacts, 'tokens' | 'operatorToken'>> {
  const rules = { issuer: config.issuer, audience: config.OIDC_AUDIENCE };
  if (!config.embeddedIssuer) return { tokens: {}, operatorToken: '' };
  return mintDevelopmentTokens(await developmentKeys(config.dataDir), rules);
}

/** The first SIGTERM or SIGINT; later ones change nothing. */
function signalled(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('SIGTERM'));
    process.on('SIGINT', () => resolve('SIGINT'));
  });
}

try {
  process.exit(await main());
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  standardError().write(`innkeeper: ${message}\n`);
  const isAway = isDiskFullError(error) || (error instanceof DatabaseFailure && error.isTemporary);
  process.exit(isAway ? exitCodes.databaseAway : exitCodes.failed);
}
