import type { Test } from 'tap';

import type { Service } from '../service.ts';
import type { Hands } from './hands.ts';
import type { DayHotel } from './hotel.ts';

export type Day = { service: Service; hotel: DayHotel };

/** Something that somebody has to do during the day, on the page that is open. */
export type Task = {
  name: string;
  /** Clicks with the mouse at most. */
  most: number;
  /** What is so before it begins, such as a page that is looked at; not counted. */
  before?(hands: Hands, day: Day): Promise<void>;
  run(hands: Hands, day: Day, t: Test): Promise<void>;
};
