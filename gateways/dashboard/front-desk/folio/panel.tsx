import type { Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { Icon } from '../../icons.tsx';
import { returns } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import type { ReservationRead } from '../shapes.ts';
import { ChargeForm } from './charge-form.tsx';
import { FolioSection } from './folio-view.tsx';
import { InvoiceView } from './invoice-view.tsx';
import { formWords } from './messages.ts';
import { Payments } from './payment-link.tsx';
import { RefundForm } from './refund-form.tsx';
import { type MoneyLevel, moneyLevels } from './section-messages.ts';
import { SplitForm } from './split-form.tsx';
import { StayMoney } from './stay-money.ts';

type Props = { desk: FrontDesk; read: ReservationRead; level: Signal<MoneyLevel | undefined> };

/** What is open of the money of a stay. Loaded when it is opened first. */
export function MoneyPanel({ desk, read, level }: Props) {
  const stayMoney = useMemo(() => new StayMoney(desk, read), [desk, read.reservation.reservationId]);
  useEffect(() => stayMoney.follow(read), [read, returns.value]);
  const open = level.value;
  const props = {
    stayMoney,
    onBack: () => {
      stayMoney.giveUp();
      level.value = undefined;
    },
    onDone: () => (level.value = 'folio'),
  };
  return (
    <>
      {open === undefined && <UnderWay stayMoney={stayMoney} />}
      {open === 'pay' && <Payments {...props} />}
      {open === 'charge' && <ChargeForm {...props} />}
      {open === 'refund' && <RefundForm {...props} />}
      {open === 'split' && <SplitForm {...props} />}
      {open === 'invoice' && <InvoiceView {...props} />}
      {open === 'folio' && (
        <>
          <Done stayMoney={stayMoney} />
          {desk.mayAct && isOpen(read) && (
            <p>
              <ServiceButton desk={desk} onClick={() => (level.value = 'split')}>
                {moneyLevels.split}
              </ServiceButton>
            </p>
          )}
          <FolioSection stayMoney={stayMoney} />
        </>
      )}
    </>
  );
}

/** What was sent from a form that is closed since, and why it failed. */
function UnderWay({ stayMoney }: { stayMoney: StayMoney }) {
  const attempts = stayMoney.attempts();
  const sent = useRef(attempts.find(({ busy }) => busy.peek()));
  if (attempts.some(({ busy }) => busy.value))
    return (
      <p class="muted" role="status">
        {formWords.underWay}
      </p>
    );
  const error = sent.current?.error.value;
  return error === undefined ? null : (
    <p class="form-error" role="alert">
      {error}
    </p>
  );
}

/** What was just done; the focus is there, since the button that did it is gone. */
function Done({ stayMoney }: { stayMoney: StayMoney }) {
  const line = useRef<HTMLParagraphElement>(null);
  const done = stayMoney.done.value;
  useEffect(() => line.current?.focus(), [done]);
  useEffect(() => () => void (stayMoney.done.value = undefined), [stayMoney]);
  if (done === undefined) return null;
  return (
    <p class="done" ref={line} tabIndex={-1}>
      <Icon name="good" />
      {done}
    </p>
  );
}

const OPEN: ReadonlySet<string> = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN']);
const isOpen = ({ reservation }: ReservationRead): boolean => OPEN.has(reservation.status);
