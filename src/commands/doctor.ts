import { parseArgs } from 'node:util';

import { runCommand } from '../platform/backup/command.ts';
import { readableEnvironment } from '../platform/config/config.ts';
import { DOCTOR_CHECKS } from './doctor/all-checks.ts';
import { type DoctorLine, examineAll } from './doctor/check.ts';

const WIDTH = { status: 8, check: 13 };

/** `npm run doctor`: one line a check, and 1 where there is a fault. It changes nothing. */
await runCommand(async () => {
  const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const source = process.env;
  const lines = await examineAll(DOCTOR_CHECKS, { source, values: readableEnvironment(source), now: Date.now });
  const hasFault = lines.some(({ status }) => status === 'fault');
  if (options.json) console.log(JSON.stringify({ status: hasFault ? 'fault' : 'ok', checks: lines }, undefined, 2));
  else for (const line of lines) console.log(textOf(line));
  return hasFault ? 1 : 0;
});

function textOf({ status, check, text, next }: DoctorLine): string {
  return `${status.padEnd(WIDTH.status)} ${check.padEnd(WIDTH.check)} ${text}${next === undefined ? '' : ` -> ${next}`}`;
}
