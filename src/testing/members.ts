import { z } from 'zod';

import { dayOf } from '../kernel/rules/dates.ts';
import { DAY, NOW } from './property-world.ts';

/** Values of a filled-in object, all different. Their sizes say what they are: counts are below 10,000. */
export const amountNo = (n: number): number => 1_000_000 + n * 101;
export const dayNo = (n: number): number => DAY + n;
export const momentNo = (n: number): number => NOW + n * 1_001;

type Leaf = string | number | boolean | null;
type Leaves = ReadonlyMap<string, Leaf>;

/** Paths of the values of an object; those that come out under their own names are not listed. */
export type Followed = {
  /** Where it comes out: where it came from. A part that comes out whole is listed once; `*` is any place of a list. */
  renamed?: Record<string, string>;
  /** What comes out and was no value of the object. */
  computed?: Record<string, Leaf>;
  /** What comes out nowhere. */
  dropped?: string[];
};

/** An answer as a client reads it. */
export function wired<S extends z.ZodType>(schema: S, answer: z.output<S>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(z.encode(schema, answer))) as Record<string, unknown>;
}

/**
 * Follows each value of a filled-in object to the wire, where amounts are decimals, and days and moments are texts: a
 * member that is dropped, exchanged with another or written in another unit is seen.
 */
export function sentMembers<T extends object>(from: T, send: (from: T) => unknown): Promise<Followed> {
  return followed(from, send, (leaf) => leaf, domainValue);
}

/** Follows each value of a body to the domain, in the same way. */
export function readMembers<T extends object>(from: T, reader: (from: T) => unknown): Promise<Followed> {
  return followed(from, reader, domainValue, (leaf) => leaf);
}

async function followed<T extends object>(
  from: T,
  run: (from: T) => unknown,
  ofGiven: (leaf: Leaf) => Leaf,
  ofFound: (leaf: Leaf) => Leaf,
): Promise<Followed> {
  const [given, found] = [leavesOf(from), leavesOf(await run(from))];
  const sources = Map.groupBy(given.keys(), (path) => ofGiven(given.get(path)!));
  mustDiffer(sources);
  const renamed: Record<string, string> = {};
  const computed: Record<string, Leaf> = {};
  const arrived = new Set<string>();
  for (const [path, leaf] of found) {
    const paths = isFollowed(leaf) ? (sources.get(ofFound(leaf)) ?? []) : [];
    const source = paths.includes(path) ? path : (paths.find((one) => isSamePlace(one, path)) ?? paths[0]);
    if (source === undefined) computed[path] = leaf;
    else arrived.add(source);
    if (source !== undefined && !isSamePlace(source, path)) renamed[path] = source;
  }
  for (const [source, flag] of given) {
    if (typeof flag !== 'boolean') continue;
    const other = leavesOf(await run(withLeaf(from, source, !flag)));
    for (const path of flagsBetween(found, other)) {
      arrived.add(source);
      if (found.get(path) === flag) delete computed[path];
      if (!isSamePlace(source, path)) renamed[path] = source;
    }
  }
  const due = [...given.keys()].filter(
    (path) => isFollowed(given.get(path)!) || typeof given.get(path) === 'boolean',
  );
  const dropped = due.filter((path) => !arrived.has(path));
  const parts = { renamed: inShort(renamed), computed, dropped };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0));
}

/** Flags have two values only: they are followed by turning each. A zero or nothing can come from anywhere. */
const isFollowed = (leaf: Leaf): boolean => typeof leaf !== 'boolean' && leaf !== 0 && leaf !== null;

/** Paths of flags that differ. */
function flagsBetween(one: Leaves, other: Leaves): string[] {
  const paths = [...new Set([...one.keys(), ...other.keys()])];
  return paths.filter(
    (path) => one.get(path) !== other.get(path) && typeof (one.get(path) ?? other.get(path)) === 'boolean',
  );
}

/** Words of an enum may repeat. */
function mustDiffer(sources: ReadonlyMap<Leaf, string[]>): void {
  for (const [leaf, paths] of sources)
    if (paths.length > 1 && isFollowed(leaf) && !/^[A-Z_]+$/.test(String(leaf)))
      throw new Error(`${String(leaf)} stands in ${paths.join(' and ')}`);
}

/** What a value on the wire is in the domain; an amount is at least 10,000.00 here. */
function domainValue(leaf: Leaf): Leaf {
  if (typeof leaf === 'number') return leaf >= 10_000 && leaf < 1e12 ? Math.round(leaf * 100) : leaf;
  if (typeof leaf !== 'string') return leaf;
  if (/^\d+\.\d\d$/.test(leaf)) return Math.round(Number(leaf) * 100);
  if (/^\d{4}-\d\d-\d\d$/.test(leaf)) return dayOf(leaf);
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(leaf) ? Date.parse(leaf) : leaf;
}

function leavesOf(value: unknown): Leaves {
  const leaves = new Map<string, Leaf>();
  const visit = (one: unknown, path: string): void => {
    if (typeof one !== 'object' || one === null) leaves.set(path, one as Leaf);
    else for (const [name, part] of Object.entries(one)) visit(part, path === '' ? name : `${path}.${name}`);
  };
  visit(JSON.parse(JSON.stringify(value)), '');
  return leaves;
}

function withLeaf<T extends object>(from: T, path: string, leaf: Leaf): T {
  const copy = structuredClone(from);
  const names = path.split('.');
  const last = names.pop()!;
  const inside = names.reduce((part, name) => part[name] as Record<string, unknown>, copy as Record<string, unknown>);
  inside[last] = leaf;
  return copy;
}

/** Whether one path ends with the other: the same names, at the same places of lists. */
const isSamePlace = (one: string, other: string): boolean =>
  `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`);

const INDEX = /\b\d+\b/g;

/** Without the names that both paths end with. */
function inShort(renamed: Record<string, string>): Record<string, string> {
  const short: Record<string, string> = {};
  for (const [path, source] of Object.entries(renamed)) {
    const [to, from] = withoutEnd(path.split('.'), source.split('.'));
    const isList = String(to.match(INDEX)) === String(from.match(INDEX));
    const [key, value] = isList ? [to.replaceAll(INDEX, '*'), from.replaceAll(INDEX, '*')] : [to, from];
    if (short[key] === undefined || short[key] === value) short[key] = value;
    else short[path] = source;
  }
  return short;
}

function withoutEnd(to: string[], from: string[]): [to: string, from: string] {
  while (to.at(-1) === from.at(-1)) [to, from] = [to.slice(0, -1), from.slice(0, -1)];
  return [to.join('.'), from.join('.')];
}
