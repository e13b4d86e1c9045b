import { resolve } from 'node:path';

import { Porcupine } from './checker.ts';

/** `npm run porcupine -- <history.ndjson>`: the history of a run, judged by Porcupine; 1 where no order explains it. */
function main(): number {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error('npm run porcupine -- <history.ndjson>');
  using porcupine = Porcupine.build();
  if (porcupine === undefined) throw new Error('it is built with Go, which is not on the PATH');
  const { illegal, undecided, ...counts } = porcupine.check(resolve(process.env['INIT_CWD'] ?? '.', file));
  console.log(
    `Porcupine: ${counts.cellOperations} operations on ${counts.cells} cells, ${counts.keyOperations} on ${counts.keys} keys`,
  );
  console.log(`not linearizable: ${illegal.length}, undecided: ${undecided.length}`);
  for (const one of [...illegal, ...undecided]) console.log(`  ${one}`);
  return illegal.length + undecided.length > 0 || counts.cells === 0 ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`porcupine: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
