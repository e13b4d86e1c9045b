import { isNightly } from '../../../test/loop/nightly.ts';
import type { Look } from './page-browser.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/**
 * Both themes, and a desk and a phone. At night each theme on both: colours do not depend on the width, and axe over
 * all four was an eighth of what a file of pages takes.
 */
export const EVERY_LOOK: readonly Look[] = [
  { colorScheme: 'light', viewport: DESK },
  { colorScheme: 'dark', viewport: PHONE },
  ...(isNightly()
    ? ([
        { colorScheme: 'light', viewport: PHONE },
        { colorScheme: 'dark', viewport: DESK },
      ] as const)
    : []),
];

export const lookName = ({ colorScheme, viewport }: Look): string => `${colorScheme}, ${viewport?.width}`;
