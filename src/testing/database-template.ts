import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const stored = join(root, 'node_modules', '.cache', 'innkeeper', 'databases');
/** Inputs of a new database: the server, its creation, and the migrations. */
const MADE_OF = ['package-lock.json', 'migrations', 'src/platform/launch', 'src/platform/database'];

/**
 * A migrated, stopped database that every test of the day copies: creating one takes seconds, copying it a moment. It
 * is keyed by its inputs and by the day, since a database is created with the partitions of its day.
 */
const template = join(stored, keyOf(new Date()));

function keyOf(now: Date): string {
  const hash = createHash('sha256').update(process.version);
  for (const part of MADE_OF)
    for (const file of filesOf(join(root, part))) hash.update(file).update(fs.readFileSync(file));
  return `${now.toISOString().slice(0, 10)}-${hash.digest('hex').slice(0, 32)}`;
}

function filesOf(path: string): string[] {
  if (fs.statSync(path).isFile()) return [path];
  const entries = fs.readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
}

/**
 * Copies the template to the folder of a database about to be started.
 * @param dataDir folder without a database; may not exist yet
 * @returns false without a template: the database is then created as usual
 */
export async function copyTemplate(dataDir: string): Promise<boolean> {
  return copyDatabase(template, dataDir);
}

/** The same with a database that was stored in another place. */
export async function copyDatabase(from: string, dataDir: string): Promise<boolean> {
  if (!fs.existsSync(from)) return false;
  const database = join(dataDir, 'postgres');
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  if (await copy(join(from, 'postgres'), database)) return true;
  fs.rmSync(database, { recursive: true, force: true });
  return false;
}

/**
 * Stores a database as the template.
 * @param dataDir folder of a server that was shut down cleanly
 */
export async function keepTemplate(dataDir: string): Promise<void> {
  try {
    fs.mkdirSync(stored, { recursive: true });
    await keepDatabase(dataDir, template);
    removeOfOtherDays();
  } catch {
    // Without a template every test creates its database, as the first one did.
  }
}

/**
 * The same at another place, whose folder is there; copies see all of it or nothing.
 * @throws Error when it cannot be written, or is there already
 */
export async function keepDatabase(dataDir: string, as: string): Promise<void> {
  // All copies of a symbolic link would share its database.
  if (!fs.lstatSync(join(dataDir, 'postgres')).isDirectory()) return;
  const unfinished = `${as}.${randomUUID()}`;
  try {
    // Other test processes may do the same: the first one wins, and the rename is atomic.
    if (await copy(dataDir, unfinished)) fs.renameSync(unfinished, as);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeOfOtherDays(): void {
  const today = new Date().toISOString().slice(0, 10);
  const old = fs.readdirSync(stored).filter((name) => !name.startsWith(today));
  for (const name of old) fs.rmSync(join(stored, name), { recursive: true, force: true });
}

/** With owners and permissions, which only a system program copies; without it nothing is copied. */
function copy(from: string, to: string): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn('cp', ['-a', from, to], { stdio: 'ignore' });
    child.once('error', () => done(false));
    child.once('exit', (code) => done(code === 0));
  });
}
