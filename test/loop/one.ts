import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PARTS, VARIABLES } from '../services/parts.ts';
import { partsOf, ROOT } from './needs.ts';
import { runTap } from './tap.ts';

/** Runs a test file with the parts that it asks for: `npm run test:one -- <file> [arguments of tap]`. */
const args = process.argv.slice(2);
const files = args.filter((arg) => arg.endsWith('.test.ts'));
const missing = files.filter((file) => !existsSync(join(ROOT, file)));

if (files.length === 0 || missing.length > 0) {
  console.error(missing.length > 0 ? `test:one: there is no ${missing.join(', ')}` : 'npm run test:one -- <file>');
  process.exitCode = 2;
} else {
  const parts = files.flatMap((file) => partsOf(file)).filter((part) => !process.env[VARIABLES[part]]);
  if (parts.length > 0) console.error(`test:one: starts ${parts.join(', ')} for it, as npm run services does`);
  runTap(
    args,
    PARTS.filter((part) => parts.includes(part)),
  );
}
