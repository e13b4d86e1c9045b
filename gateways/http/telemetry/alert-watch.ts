import type { AlertState } from '../../../src/platform/coordination/contracts/alerts.ts';
import type { AlertFigures } from './alert-figures.ts';
import { ALERT_RULES, type AlertRule, type SeenNode } from './alert-rules.ts';

/** State of an alert, and for how many milliseconds it has held. */
type Held = { state: AlertState; heldMs: number };

/** What a node says of itself: the alerts that hold, and what rules of the whole installation look at. */
export type NodeAlerts = SeenNode & { holding: Record<string, Held> };

/** For how long each alert has held, by the rules that a node can judge alone (docs/operations/health.md#alerts-without-prometheus). */
export class AlertWatch {
  readonly #figures: AlertFigures;
  readonly #now: () => number;
  readonly #since = new Map<string, number>();
  readonly #sinceOverAll = new Map<string, number>();

  /** @param now monotonic milliseconds */
  constructor(figures: AlertFigures, now: () => number = () => performance.now()) {
    this.#figures = figures;
    this.#now = now;
  }

  /** Judges every rule; called every ten seconds. */
  take(): void {
    this.#figures.take();
    for (const rule of ALERT_RULES)
      if ('onNode' in rule) this.#hold(this.#since, rule, rule.onNode(this.#figures, rule.thresholds));
  }

  /** The alerts that hold on this node. */
  holding(): Record<string, Held> {
    return this.#heldIn(this.#since, (rule) => 'onNode' in rule);
  }

  /** The alerts that hold over all nodes, and for how long they did at each call. */
  overAll(nodes: readonly SeenNode[], missing: number): Record<string, Held> {
    for (const rule of ALERT_RULES)
      if ('overAll' in rule) this.#hold(this.#sinceOverAll, rule, rule.overAll(nodes, missing));
    return this.#heldIn(this.#sinceOverAll, (rule) => 'overAll' in rule);
  }

  #hold(since: Map<string, number>, { name }: AlertRule, holds: boolean): void {
    if (!holds) since.delete(name);
    else if (!since.has(name)) since.set(name, this.#now());
  }

  #heldIn(since: ReadonlyMap<string, number>, counts: (rule: AlertRule) => boolean): Record<string, Held> {
    const held: Record<string, Held> = {};
    for (const rule of ALERT_RULES) {
      const at = counts(rule) ? since.get(rule.name) : undefined;
      if (at === undefined) continue;
      const heldMs = this.#now() - at;
      held[rule.name] = { state: heldMs >= rule.forSeconds * 1_000 ? 'FIRING' : 'PENDING', heldMs };
    }
    return held;
  }
}
