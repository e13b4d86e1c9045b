import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';

import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import { onSingleKeys } from '../../keys.ts';
import { textsOf } from '../../language/texts.ts';
import { UNREACHABLE } from '../../messages.ts';
import { ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import type { Prefill } from './shapes.ts';

const say = textsOf('front-desk-booking');

/** The names are loaded with the desk, the other texts of the form with the form. */
export const BOOKING_NAMES = { reservation: say('New reservation'), 'walk-in': say('Walk-in') };

/** Buttons and keys that open the form. */
export function BookingButtons({ desk }: { desk: FrontDesk }) {
  useEffect(() => {
    const reservation = (): void => desk.booking.openHere('reservation');
    const walkIn = (): void => desk.booking.openHere('walk-in');
    return onSingleKeys({ n: reservation, N: reservation, w: walkIn, W: walkIn });
  }, [desk]);
  if (!desk.mayAct) return null;
  return (
    <div class="booking-buttons">
      <ServiceButton desk={desk} class="primary" onClick={() => desk.booking.open({ kind: 'reservation' })}>
        {BOOKING_NAMES.reservation}
      </ServiceButton>
      <ServiceButton desk={desk} onClick={() => desk.booking.open({ kind: 'walk-in' })}>
        {BOOKING_NAMES['walk-in']}
      </ServiceButton>
    </div>
  );
}

type PanelProps = { desk: FrontDesk; propertyId: PropertyId; prefill: Prefill };

/** The form beside the chart; its script is loaded when it opens first. */
export function BookingPanel({ desk }: { desk: FrontDesk }) {
  const panel = useSignal<FunctionComponent<PanelProps> | undefined>(undefined);
  const prefill = desk.booking.opened.value;
  const property = desk.property.value;
  const isOpen = prefill !== undefined && desk.mayAct;
  useEffect(() => {
    if (!isOpen || panel.peek()) return;
    import('./panel.tsx').then(
      ({ Panel }) => (panel.value = Panel),
      () => (desk.notice.value = UNREACHABLE),
    );
  }, [isOpen]);
  const View = panel.value;
  if (!isOpen || !property || !View) return null;
  const key = [property.propertyId, ...Object.values(prefill)].join(' ');
  return <View key={key} desk={desk} propertyId={property.propertyId} prefill={prefill} />;
}
