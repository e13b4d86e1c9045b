import type { PageConfig } from '../../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../../access/identity.ts';
import type { Workspace } from '../../workspace.ts';
import { FirstHotel } from './first-hotel.ts';
import { FirstHotelView } from './view.tsx';

/** Setting up a property step by step, loaded on demand. */
export function openFirstHotel(config: PageConfig, user: SignedIn): Workspace {
  const hotel = new FirstHotel(config, user);
  return { view: (onSignOut) => <FirstHotelView hotel={hotel} onSignOut={onSignOut} />, close: () => hotel.close() };
}
