import { constants, setPriority } from 'node:os';

import { pump } from '../client/pump.ts';
import type { TenantLoads, TenantReport } from './loads-apart.ts';
import { askForSnapshots } from './snapshot-sockets.ts';

/** All loads of a tenant as one process: the loads as JSON on standard input, its report on standard output. */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
const tenant: TenantLoads = JSON.parse(Buffer.concat(chunks).toString());
if (tenant.isLast) setPriority(constants.priority.PRIORITY_LOW);
const report: TenantReport = { loads: {}, frames: {} };
await Promise.all([
  ...Object.entries(tenant.loads).map(async ([name, load]) => {
    report.loads[name] = await pump(load);
  }),
  tenant.sockets && askForSnapshots(tenant.sockets, report.frames),
]);
process.stdout.write(JSON.stringify(report), () => process.exit(0));
