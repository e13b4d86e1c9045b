import type { Instant } from '../src/kernel/rules/property-time.ts';

/** A min-heap of ids by time. Entries are not removed when their hold ends; who reads the top checks. */
export class ExpiryHeap {
  readonly #items: { at: Instant; id: string }[] = [];

  get top(): { at: Instant; id: string } | undefined {
    return this.#items[0];
  }

  push(id: string, at: Instant): void {
    const items = this.#items;
    let index = items.push({ at, id }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (items[parent]!.at <= items[index]!.at) return;
      [items[parent], items[index]] = [items[index]!, items[parent]!];
      index = parent;
    }
  }

  pop(): void {
    const items = this.#items;
    const last = items.pop();
    if (!last || items.length === 0) return;
    items[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let least = index;
      if (left < items.length && items[left]!.at < items[least]!.at) least = left;
      if (right < items.length && items[right]!.at < items[least]!.at) least = right;
      if (least === index) return;
      [items[least], items[index]] = [items[index]!, items[least]!];
      index = least;
    }
  }
}
