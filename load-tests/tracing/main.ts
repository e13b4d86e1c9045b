import { runParts } from '../parts.ts';
import { benchTracing } from './overhead.ts';

/** `npm run bench:tracing`. */
await runParts('bench:tracing', 'What spans cost a request, alternating with none.', { overhead: benchTracing });
