import type { RunFacts } from '../load/figures-of-run.ts';
import type { BookingNeeds } from './basis.ts';
import type { Checked } from './check.ts';
import type { NodeCosts } from './cluster.ts';
import type { Curve } from './curve.ts';
import type { DailyWork } from './daily.ts';
import type { LineFit } from './fit.ts';
import type { OperationCost } from './measured.ts';
import type { MemoryCurve } from './memory.ts';
import type { Carried, ModelInput } from './model.ts';

/** Everything that a run has measured and calculated. */
export type Growth = {
  curves: Curve[];
  /** Service CPU of a change by its sockets; the slope is the cost of a frame. */
  frames: { points: { n: number; us: number }[]; line: LineFit | null };
  /** 64 clients at full speed. */
  closed: ({ what: string } & OperationCost)[];
  memory: MemoryCurve[];
  needs: BookingNeeds | null;
  daily: DailyWork | null;
  nodes: NodeCosts[];
  /** Calculated, and no measurement; `null` where a cost is missing. */
  calculation: { input: ModelInput; carried: Carried[]; poolerAbove: number; checked: Checked[] } | null;
  /** What could not be measured, and why. */
  notHad: string[];
  problems: string[];
};

export type GrowthRun = Growth & RunFacts;
