import { parseArgs } from 'node:util';

import { developmentKeys } from '../../gateways/auth/development-keys.ts';
import { NARROW_SCOPES, OPERATE_SCOPE } from '../../gateways/auth/identity.ts';
import { mint } from '../../gateways/auth/mint.ts';
import { DEMO_USERS, OPERATOR_SUBJECT } from '../demo/rules/demo-users.ts';
import { loadConfig } from '../platform/config/config.ts';
import { runningIssuer } from '../wiring/running-issuer.ts';

/**
 * `npm run token -- --tenant demo --role MANAGER`, `-- --operator` and `-- --role STAFF --scope innkeeper:channel`
 * (docs/reference/commands.md#run): prints an access token of the development issuer, signed with the keys in DATA_DIR;
 * the service need not run. If it runs, the token is for its issuer, whatever ports this command's environment names.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tenant: { type: 'string', default: 'demo' },
      role: { type: 'string', default: 'MANAGER' },
      operator: { type: 'boolean', default: false },
      scope: { type: 'string' },
    },
  });
  const config = loadConfig(process.env);
  if (!config.embeddedIssuer)
    throw new Error('OIDC_ISSUER is set: get tokens there, not from the development issuer');
  const { tenant, role, operator, scope } = values;
  if (scope !== undefined && (operator || !NARROW_SCOPES.some((one) => one === scope)))
    throw new Error(`--scope is ${NARROW_SCOPES.join(' or ')}, and not for the operator`);
  const user = DEMO_USERS.find((one) => one.tenantId === tenant && one.role === role.toUpperCase());
  if (!operator && user === undefined) {
    const known = DEMO_USERS.map((one) => `${one.tenantId}/${one.role}`).join(', ');
    throw new Error(`no demo user ${tenant}/${role}; there are ${known}`);
  }
  const token = await mint(await developmentKeys(config.dataDir), {
    issuer: runningIssuer(config.dataDir) ?? config.issuer,
    audience: config.OIDC_AUDIENCE,
    subject: operator ? OPERATOR_SUBJECT : (user?.subject ?? ''),
    ...(operator && { scope: OPERATE_SCOPE }),
    ...(scope !== undefined && { scope }),
  });
  process.stdout.write(`${token}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
