import { startServices } from '../../test/services/start.ts';
import { inProcess, runParts } from '../parts.ts';
import { benchBeside } from './beside.ts';

await using services = await startServices({ only: ['kafka', 'registry'] });
Object.assign(process.env, services.env);

/** `npm run bench:events`. */
await runParts(
  'bench:events',
  'Figures of the events, against a real broker and registry on this machine: the relay alone, and bookings beside it.',
  { relay: inProcess('events/relay.ts'), beside: () => benchBeside({ ...services.env }) },
);
