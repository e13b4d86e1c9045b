import { Command, InvalidArgumentError } from 'commander';

import { restoreDrill } from './restore-drill.ts';

const wholeSeconds = (text: string): number => {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('whole seconds');
  return Number(text);
};

/** `npm run restore:drill`: prints each step, RPO and RTO; 1 where a backup lacks something or an audit finds something. */
await new Command('restore:drill')
  .description('Backup, loss of the whole disk and restore of a service of its own, with bookings going on.')
  .option('--seconds <count>', 'how long bookings go on after the backup', wholeSeconds, 10)
  .action(async ({ seconds }: { seconds: number }) => {
    const began = performance.now();
    let step = 0;
    const found = await restoreDrill(seconds, (line) =>
      console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${++step}/7  ${line}`),
    );
    console.log(
      `RPO: ${found.rpo.toFixed(1)} s, ${found.lost} of ${found.acknowledged} acknowledged bookings are gone`,
    );
    console.log(`RTO: ${found.rto.toFixed(1)} s from the loss to the first new booking`);
    console.log(`acknowledged before the backup, and gone: ${found.missing}`);
    console.log(`rooms, balances and chains: ${found.violations.length} violations`);
    for (const one of found.violations.slice(0, 5)) console.log(`  ${one}`);
    const isWrong = found.missing > 0 || found.violations.length > 0 || found.unknown > 0;
    process.exitCode = isWrong ? 1 : 0;
  })
  .parseAsync();
