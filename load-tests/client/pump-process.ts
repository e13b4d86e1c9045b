import { type Load, pump } from './pump.ts';

/** The load client as a process of its own: one load as JSON on standard input, its report on standard output. */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
const load: Load = JSON.parse(Buffer.concat(chunks).toString());
console.log(JSON.stringify(await pump(load)));
