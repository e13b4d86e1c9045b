import { developmentKeys } from '../gateways/auth/development-keys.ts';
import { mintDevelopmentTokens } from '../gateways/auth/mint.ts';
import { serve } from '../gateways/serve.ts';
import { type Config, loadConfig } from './config.ts';
import { openContext } from './context.ts';
import { hasActors } from './domain/placement.ts';
import { endInTime, leave } from './leaving.ts';
import { removeDevFile, statusBlock, writeDevFile } from './ready.ts';
import { createLog, Loggers } from './telemetry.ts';
import { openTracing } from './tracing/open-tracing.ts';

/** Starts everything, waits for a signal, drains, ends with 0; a start that fails says why in a line and ends with 1. */
async function main(): Promise<void> {
  const stopping = signalled();
  const config = loadConfig(process.env);
  const log = createLog({ level: config.LOG_LEVEL, name: 'innkeeper' });
  const loggers = new Loggers(log);
  if (!config.production) removeDevFile(config);
  await using stack = new AsyncDisposableStack();
  const tracer = stack.use(await openTracing(config, log));
  const context = stack.use(await openContext(config, loggers, tracer));
  const { cluster } = context;
  // A node without actors might be the only one, and nobody would own its houses.
  const seeds = !config.production && config.DEMO && hasActors(config.NODE_ROLE);
  if (seeds && !cluster) await context.seed(config.issuer);
  const listening = stack.use(await serve({ config, log, loggers, tracer, ...context }));
  await cluster?.join();
  // Its houses may be placed on other nodes.
  if (seeds && cluster) await context.seed(config.issuer);
  if (!config.production) await announce(config, listening.basic);
  process.stdout.write(statusBlock(config, listening.basic));
  context.begin();
  log.info({ signal: await stopping }, 'draining');
  endInTime(log);
  if (!config.production) removeDevFile(config);
  if (cluster) await leave(listening, cluster);
}

async function announce(config: Config, basic: { user: string; password: string }): Promise<void> {
  const rules = { issuer: config.issuer, audience: config.OIDC_AUDIENCE };
  const minted = config.embeddedIssuer
    ? await mintDevelopmentTokens(await developmentKeys(config.dataDir), rules)
    : { tokens: {}, operatorToken: '' };
  writeDevFile(config, { ...minted, basic });
}

/** The first SIGTERM or SIGINT; later ones change nothing. */
function signalled(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('SIGTERM'));
    process.on('SIGINT', () => resolve('SIGINT'));
  });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`innkeeper: ${message}\n`);
  process.exit(1);
}
