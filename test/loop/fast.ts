import { loadedBy, testFiles, wayToPrograms } from './needs.ts';
import { runTap } from './tap.ts';

/** Every test file that starts no other program: `npm run test:fast`. Arguments go to tap, or `--list` says why. */
const args = process.argv.slice(2);
const files = testFiles();
const loaded = await loadedBy(files);
const ways = new Map(files.map((file) => [file, wayToPrograms(loaded, file)]));
const fast = files.filter((file) => ways.get(file) === undefined);

if (args.includes('--list')) for (const file of files) console.log(ways.get(file)?.join(' > ') ?? file);
else {
  console.error(`test:fast: ${fast.length} of ${files.length} files; the others start programs (--list says which)`);
  runTap([...args, ...fast]);
}
