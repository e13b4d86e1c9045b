import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';

/** What a task took: things pressed with the mouse or by a key, characters typed, seconds of page and test. */
export type Effort = { presses: number; characters: number; seconds: number };

/** Somebody who works with a page, and counts. */
export interface Hands {
  readonly page: Page;
  /** Presses a button, a link, a cell, a choice. */
  press(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** Puts in what was copied from another program. */
  paste(field: Locator, text: string): Promise<void>;
  /** Chooses in a list by its text or value. */
  choose(list: Locator, option: string): Promise<void>;
  /** Chooses a row of nights in a grid. */
  span(from: Locator, to: Locator): Promise<void>;
  /** Takes a stay to the lane of another room. */
  carry(stay: Locator, lane: Locator): Promise<void>;
  /** What was counted since the last call. */
  effort(): Effort;
}

/** Steps from the top of a page to its last button; a page with more than that is not usable by keyboard. */
const LONGEST_WAY = 400;

/** Script of a page in which somebody works by keyboard. */
export const NEXT_KEY = fileURLToPath(new URL('next-key.js', import.meta.url));

class Counter {
  #presses = 0;
  #characters = 0;
  #from = performance.now();

  pressed(times = 1): void {
    this.#presses += times;
  }

  typed(text: string): void {
    this.#characters += text.length;
  }

  effort(): Effort {
    const effort = {
      presses: this.#presses,
      characters: this.#characters,
      seconds: (performance.now() - this.#from) / 1_000,
    };
    this.#presses = 0;
    this.#characters = 0;
    this.#from = performance.now();
    return effort;
  }
}

/**
 * With the mouse, and Tab from one field to the next where somebody types anyway. A list is opened and chosen from: two
 * clicks.
 */
export function mouse(page: Page): Hands {
  const counter = new Counter();
  const focus = async (field: Locator): Promise<void> => {
    await field.waitFor();
    if (await isFocused(field)) return;
    await page.keyboard.press('Tab');
    if (await isFocused(field)) return counter.typed('\t');
    await field.click();
    counter.pressed();
  };
  return {
    page,
    async press(target) {
      await target.click();
      counter.pressed();
    },
    async type(field, text) {
      await focus(field);
      await field.fill(text);
      counter.typed(text);
    },
    async paste(field, text) {
      await focus(field);
      await field.fill(text);
      counter.pressed();
    },
    async choose(list, option) {
      await list.selectOption(option);
      counter.pressed(2);
    },
    async span(from, to) {
      await from.hover();
      await page.mouse.down();
      await to.hover();
      await page.mouse.up();
      counter.pressed();
    },
    async carry(stay, lane) {
      await stay.hover();
      await page.mouse.down();
      const to = (await lane.boundingBox())!;
      const from = (await stay.boundingBox())!;
      await page.mouse.move(from.x + 20, to.y + 12, { steps: 4 });
      await page.mouse.up();
      counter.pressed();
    },
    effort: () => counter.effort(),
  };
}

/** With the keyboard alone: Tab until it is there, then Enter or Space, as a person without a mouse does. */
export function keyboard(page: Page): Hands {
  const counter = new Counter();
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let step = 0; step < LONGEST_WAY; step += 1) {
      const key = await target.evaluate((element) => (globalThis as unknown as PageScope).nextKey(element));
      if (key === '') return;
      await page.keyboard.press(key);
      counter.pressed();
    }
    throw new Error(`the keyboard does not reach ${String(target)}`);
  };
  return {
    page,
    async press(target) {
      await reach(target);
      const isChoice =
        (await target.getAttribute('type')) === 'checkbox' || (await target.getAttribute('type')) === 'radio';
      await page.keyboard.press(isChoice ? 'Space' : 'Enter');
      counter.pressed();
    },
    async type(field, text) {
      await reach(field);
      // A date is typed into its parts in the order of the language; its value is what counts here.
      if ((await field.getAttribute('type')) === 'date') await field.fill(text);
      else {
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(text);
      }
      counter.typed(text);
    },
    async paste(field, text) {
      await reach(field);
      await field.fill(text);
      counter.pressed();
    },
    async choose(list, option) {
      await reach(list);
      await list.selectOption(option);
      counter.pressed();
    },
    async span(from, to) {
      await reach(from);
      await page.keyboard.down('Shift');
      await reach(to);
      await page.keyboard.up('Shift');
    },
    async carry(stay, lane) {
      await reach(stay);
      for (const key of ['m', 'ArrowDown']) await page.keyboard.press(key);
      while (
        !(await lane.evaluate((one) => (one as unknown as Marked).matches('[data-target], :has([data-target])')))
      )
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      counter.pressed(4);
    },
    effort: () => counter.effort(),
  };
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === (globalThis as unknown as PageScope).document.activeElement);
}

type Marked = { matches(selector: string): boolean };
type PageScope = { document: { activeElement: unknown }; nextKey(target: unknown): string };
