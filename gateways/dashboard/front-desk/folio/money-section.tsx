import { type Signal, useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { mayManage } from '../../access/roles.ts';
import { Icon } from '../../icons.tsx';
import { returns } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import type { ReservationRead } from '../shapes.ts';
import { countdownText, type MoneyLevel, moneyLevels, moneyWords as words } from './section-messages.ts';

type Props = { desk: FrontDesk; read: ReservationRead };
type LevelProps = Props & { level: Signal<MoneyLevel | undefined> };
type Panel = FunctionComponent<LevelProps>;

const OPEN: ReadonlySet<string> = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN']);

/** The money of a stay in its panel: what can be done, and below it what was opened, whose script is loaded then. */
export function MoneySection({ desk, read }: Props) {
  const level = useSignal<MoneyLevel | undefined>(undefined);
  const before = useRef<MoneyLevel | undefined>(undefined);
  useEffect(() => {
    // The form that had the focus is gone: the button that opens it has it again.
    if (level.value === undefined && before.current !== undefined && document.activeElement === document.body)
      document.querySelector<HTMLElement>(`.money-section [data-opens="${before.current}"]`)?.focus();
    before.current = level.value;
  }, [level.value]);
  if (!desk.mayAct) return null;
  const { status, holdExpiresAt } = read.reservation;
  return (
    <section
      class="money-section"
      aria-label={words.title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || level.value === undefined) return;
        event.preventDefault();
        level.value = undefined;
      }}
    >
      {status === 'PENDING' && holdExpiresAt !== undefined && (
        <Countdown holdExpiresAt={holdExpiresAt} zone={desk.property.value?.timezone} />
      )}
      <Actions desk={desk} read={read} level={level} />
      <Opened desk={desk} read={read} level={level} />
    </section>
  );
}

function Actions({ desk, read: { reservation }, level }: LevelProps) {
  const { status, financial } = reservation;
  const isOpen = OPEN.has(status);
  const owes = financial.balanceDue > 0;
  const whyNoRefund = financial.paidAmount <= 0 ? words.nothingPaid : words.onlyManagers;
  const mayRefund = financial.paidAmount > 0 && mayManage(desk.role.value);
  const action = (name: MoneyLevel, why?: string) => (
    <ServiceButton
      desk={desk}
      disabled={why !== undefined}
      title={why}
      aria-describedby={why === undefined ? undefined : 'why-no-refund'}
      data-opens={name}
      aria-expanded={level.value === name}
      onClick={() => (level.value = level.value === name ? undefined : name)}
    >
      {moneyLevels[name]}
    </ServiceButton>
  );
  return (
    <>
      <div class="steps-of-stay">
        {(isOpen || owes) && action('pay')}
        {isOpen && action('charge')}
        {action('folio')}
        {action('refund', mayRefund ? undefined : whyNoRefund)}
        {action('invoice')}
      </div>
      {!mayRefund && (
        <small id="why-no-refund" class="why-disabled">
          {whyNoRefund}
        </small>
      )}
    </>
  );
}

/** What was opened; its script is loaded with the first of it, and tried again with the next click. */
function Opened({ desk, read, level }: LevelProps) {
  const panel = useSignal<{ view: Panel } | undefined>(undefined);
  const failed = useSignal(false);
  useEffect(() => {
    if (level.value === undefined || panel.value) return;
    failed.value = false;
    import('./panel.tsx').then(
      ({ MoneyPanel }) => (panel.value = { view: MoneyPanel }),
      () => (failed.value = true),
    );
  }, [level.value, returns.value]);
  const View = panel.value?.view;
  if (View) return <View desk={desk} read={read} level={level} />;
  if (failed.value) return <p class="form-error">{words.unreachable}</p>;
  return level.value === undefined ? null : <p class="muted">{words.loading}</p>;
}

const TICK_MS = 10_000;

/** How long the room of a stay that is not confirmed is held. */
function Countdown({ holdExpiresAt, zone }: { holdExpiresAt: string; zone: string | undefined }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const tick = setInterval(() => (now.value = Date.now()), TICK_MS);
    return () => clearInterval(tick);
  }, []);
  return (
    <p class="hold">
      <Icon name="waiting" />
      <strong>{countdownText(holdExpiresAt, now.value, zone)}</strong>
    </p>
  );
}
