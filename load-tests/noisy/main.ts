import { NO_LIMITS } from '../first/hot-property.ts';
import { runParts } from '../parts.ts';
import { benchNoisy } from './rounds.ts';

/** `npm run bench:noisy`: with the limits of an installation as they are, without limits, and kind by kind. */
await runParts('bench:noisy', 'A tenant with a steady flow, alone and beside a tenant that does all it can.', {
  limits: () => benchNoisy({ what: 'the limits of requests as they are', settings: {} }),
  unlimited: () => benchNoisy({ what: 'no limit of requests', settings: NO_LIMITS }),
  requests: () => benchNoisy({ what: 'no limit of requests; requests only', settings: NO_LIMITS, of: 'requests' }),
  sockets: () => benchNoisy({ what: 'no limit of requests; sockets only', settings: NO_LIMITS, of: 'sockets' }),
  imports: () => benchNoisy({ what: 'no limit of requests; imports only', settings: NO_LIMITS, of: 'imports' }),
  unshared: () =>
    benchNoisy({
      what: 'as requests, and no share of a tenant',
      settings: { ...NO_LIMITS, TENANT_REQUESTS_IN_PROGRESS: '0' },
      of: 'requests',
    }),
});
