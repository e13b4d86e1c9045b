import { postgresPid } from '../../test/blackbox/launched.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { cpuMs, cpuMsOfFamily } from '../first/cpu-time.ts';
import type { Steady } from './bookings.ts';

/** CPU time of a request, part by part: on a shared machine it says more than response times. */
export async function withCpu(service: Service, run: () => Promise<Steady>): Promise<[Steady, string]> {
  const database = postgresPid(service.dataDir) ?? 0;
  const before = [cpuMs(service.dev.pid), cpuMsOfFamily(database)];
  const report = await run();
  const after = [cpuMs(service.dev.pid), cpuMsOfFamily(database)];
  const [ours, postgres] = after.map((ms, n) => ((ms - before[n]!) / report.inAll.requests).toFixed(2));
  const client = (report.inAll.cpuMs / report.inAll.requests).toFixed(2);
  return [report, `service ${ours}, PostgreSQL ${postgres}, client ${client} ms`];
}
