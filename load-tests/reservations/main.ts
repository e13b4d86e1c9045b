import { runParts } from '../parts.ts';
import { benchList } from './list.ts';

await runParts('bench:reservations', 'x', { list: benchList });
