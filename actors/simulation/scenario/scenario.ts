import { FAULTS, type Fault } from '../faults.ts';

/** What a person does to the cluster at a moment of his choice. */
const INTERVENTIONS = ['kill', 'pause', 'cut-redis', 'cut-database', 'lose-answer', 'jump'] as const;
type InterventionKind = (typeof INTERVENTIONS)[number];

/** One of them: to which node, and how many milliseconds after clients and faults began. A jump is of all clocks. */
export type Intervention = { kind: InterventionKind; node: number; at: number };

/** Nodes of a simulated cluster. */
export const NODES = 3;
/** Duration of faults and interventions. Then everything heals, and open operations must complete. */
export const MISCHIEF_MS = 12_000;
/** A person chooses them one by one. */
export const MAX_INTERVENTIONS = 50;
export const MAX_SEED = 4_294_967_295;

/** Everything that determines a run. The same scenario gives the same run, on the command line and in a browser. */
export type Scenario = {
  seed: number;
  /** Faults that the seed may draw. */
  faults: readonly Fault[];
  interventions: readonly Intervention[];
  /** Whether the database compares epoch, `seq` and head of each commit (docs/concepts/commit-and-fence.md#fence). */
  fence: boolean;
};

/** What a seed alone plays. */
export const scenarioOf = (seed: number): Scenario => ({ seed, faults: FAULTS, interventions: [], fence: true });

/** @throws RangeError when it is none */
export function readSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d{1,10}$/.test(text) || seed > MAX_SEED) throw new RangeError(`no seed: ${text}`);
  return seed;
}

/** Reads `all`, `none`, or names with commas between them. @throws RangeError for an unknown name */
export function readFaults(text: string): readonly Fault[] {
  if (text === 'all') return FAULTS;
  if (text === 'none') return [];
  const names = new Set(text.split(','));
  const unknown = [...names].find((name) => !FAULTS.includes(name as Fault));
  if (unknown !== undefined) throw new RangeError(`no fault: ${unknown}`);
  return FAULTS.filter((fault) => names.has(fault));
}

/** Reads `kill:1@2000,jump@3000`. @throws RangeError for what is none */
export function readInterventions(text: string): readonly Intervention[] {
  const parts = text.split(',').filter((part) => part !== '');
  if (parts.length > MAX_INTERVENTIONS) throw new RangeError(`more than ${MAX_INTERVENTIONS} interventions`);
  return parts.map((part) => {
    const [, kind = '', node, at = ''] = /^([a-z-]+)(?::(\d))?@(\d{1,5})$/.exec(part) ?? [];
    const isKnown = INTERVENTIONS.includes(kind as InterventionKind) && (kind === 'jump') === (node === undefined);
    if (!isKnown || Number(node ?? 0) >= NODES || Number(at) >= MISCHIEF_MS)
      throw new RangeError(`no intervention: ${part}`);
    return { kind: kind as InterventionKind, node: Number(node ?? 0), at: Number(at) };
  });
}

export function faultsText(faults: readonly Fault[]): string {
  if (faults.length === FAULTS.length) return 'all';
  return faults.length === 0 ? 'none' : faults.join(',');
}

export function interventionsText(interventions: readonly Intervention[]): string {
  return interventions
    .map(({ kind, node, at }) => (kind === 'jump' ? `jump@${at}` : `${kind}:${node}@${at}`))
    .join(',');
}

/** The arguments with which `npm run simulate` plays the scenario. */
export function commandOf({ seed, faults, interventions, fence }: Scenario): string {
  return [
    `npm run simulate -- --actors --seed ${seed}`,
    faults.length < FAULTS.length && `--faults ${faultsText(faults)}`,
    interventions.length > 0 && `--do ${interventionsText(interventions)}`,
    !fence && '--without-fence',
  ]
    .filter(Boolean)
    .join(' ');
}
