import type { Optimization, Optimizations } from '../../revenue/ports.ts';

/** Optimizations in memory, with the notes of their history. */
export class MemoryOptimizations implements Optimizations {
  readonly all = new Map<string, Optimization>();
  readonly notes: { id: string; what: string }[] = [];

  async insert(tenantId: string, one: Optimization): Promise<void> {
    this.all.set(`${tenantId} ${one.id}`, one);
  }

  async update(tenantId: string, id: string, change: Parameters<Optimizations['update']>[2]): Promise<void> {
    const key = `${tenantId} ${id}`;
    this.all.set(key, { ...this.all.get(key)!, ...change });
  }

  async find(tenantId: string, id: string): Promise<Optimization | undefined> {
    return this.all.get(`${tenantId} ${id}`);
  }

  async running(tenantId: string, before: number): Promise<string[]> {
    return [...this.all]
      .filter(
        ([key, { status, createdAt }]) =>
          key.startsWith(`${tenantId} `) && status === 'RUNNING' && createdAt < before,
      )
      .map(([, { id }]) => id);
  }

  async list(): ReturnType<Optimizations['list']> {
    return { items: [...this.all.values()].reverse() };
  }

  async note(_tenantId: string, { id }: Optimization, what: 'RUN' | 'IMPLEMENT'): Promise<void> {
    this.notes.push({ id, what });
  }
}
