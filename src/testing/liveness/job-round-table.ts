type Stored = { completed?: number; advanced?: number; delivered?: number; claimed?: number };

/** `system.job_round`, as far as `job-rounds.ts` uses it. */
export class JobRoundTable {
  readonly #rows = new Map<string, Stored>();

  /** @param now the server's clock */
  execute(sql: string, values: readonly unknown[], now: number): object[] {
    if (!sql.includes('insert into')) return [...this.#rows.keys()].map((name) => this.#row(name, now));
    const [name, , first, advanced, delivered] = values;
    const row = this.#rows.get(String(name)) ?? {};
    this.#rows.set(String(name), row);
    if (sql.includes('claimed_at)')) {
      const isFree = row.claimed === undefined || row.claimed > now || row.claimed < now - Number(first);
      if (isFree) row.claimed = now;
      return isFree ? [{ name }] : [];
    }
    if (first === true) row.completed = now;
    if (advanced === true) row.advanced = now;
    if (delivered === true) row.delivered = now;
    return [this.#row(String(name), now)];
  }

  #row(name: string, now: number): object {
    const row = this.#rows.get(name) ?? {};
    const of = (moment: 'completed' | 'advanced' | 'delivered'): object => {
      const at = row[moment];
      return {
        [`${moment}_mark`]: at === undefined ? null : String(at * 1_000),
        [`${moment}_age`]: at === undefined ? null : now - at,
      };
    };
    return { name, ...of('completed'), ...of('advanced'), ...of('delivered') };
  }
}
