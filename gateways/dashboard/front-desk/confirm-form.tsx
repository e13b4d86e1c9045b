import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { noServiceReason } from '../access/messages.ts';
import { amountIn, amountProblem, readAmount } from '../amounts.ts';
import { moneyText } from '../messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import type { ConfirmRequest } from './drawer.ts';
import type { FrontDesk } from './front-desk.ts';
import { cancelReasons, confirmMessages, drawer as words, fitMessages, outcomeLines } from './messages.ts';
import { type ReservationRead, stayOf } from './shapes.ts';

type Props = { desk: FrontDesk; read: ReservationRead; request: ConfirmRequest };

const KEY_CARDS = [0, 1, 2, 3, 4];

/** Confirmation of an action: the effects by its dry run, and the button that runs it. */
export function ConfirmForm({ desk, read, request }: Props) {
  const { drawer } = desk;
  const form = useRef<HTMLFormElement>(null);
  const identified = useSignal(false);
  const { answer: reservation } = request;
  useEffect(() => {
    if (drawer.busy.peek() || isTypedIn(form.current)) return;
    // Without choices the next Enter confirms; a guest is sent away by hand.
    const confirms = reservation && request.kind !== 'walk';
    const first =
      request.kind === 'check-in' ? 'input[type=checkbox]' : confirms ? '.primary' : 'select, input, button';
    form.current?.querySelector<HTMLElement>(first)?.focus();
  }, [request.kind, reservation !== undefined, drawer.error.value]);
  const lines = reservation ? outcomeLines(request, read.reservation, desk.property.value?.timezone) : [];
  const needsId = request.kind === 'check-in' && !identified.value;
  const isReady = reservation !== undefined && !needsId;
  return (
    <form
      ref={form}
      class="confirm-form"
      aria-label={confirmMessages[request.kind]}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && noServiceReason(desk.connection.value) === undefined) void drawer.confirm();
      }}
    >
      <Choices desk={desk} read={read} request={request} />
      {reservation && (
        <>
          <h3>{words.what}</h3>
          <dl class="facts outcome">
            {lines.map(([name, text], index) => (
              <div key={`${name} ${text}`} data-first={index === 0 || undefined}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {drawer.busy.value && <p class="muted">{words.trying}</p>}
      {drawer.error.value && <ErrorNotice desk={desk} read={read} />}
      {request.kind === 'check-in' && reservation && (
        <label class="check">
          <input
            type="checkbox"
            checked={identified.value}
            onChange={(event) => (identified.value = event.currentTarget.checked)}
          />
          {words.identified}
        </label>
      )}
      <Actions desk={desk} request={request} isReady={isReady} needsId={needsId} />
    </form>
  );
}

type ActionsProps = Pick<Props, 'desk' | 'request'> & { isReady: boolean; needsId: boolean };

function Actions({ desk, request: { kind, answer }, isReady, needsId }: ActionsProps) {
  const { drawer } = desk;
  return (
    <div class="actions">
      {answer && (
        <ServiceButton
          desk={desk}
          type="submit"
          class={kind === 'cancel' || kind === 'walk' ? 'primary grave' : 'primary'}
          disabled={!isReady || drawer.busy.value}
          aria-describedby={needsId ? 'why-not-in' : undefined}
        >
          {confirmMessages[kind]}
        </ServiceButton>
      )}
      <button type="button" onClick={() => drawer.giveUp()}>
        {words.giveUp}
      </button>
      {needsId && answer && (
        <small id="why-not-in" class="why-disabled">
          {words.needsId}
        </small>
      )}
      <WhyDisabled desk={desk} />
    </div>
  );
}

/** Whether the focus is in a field that is typed into: it stays there. */
function isTypedIn(form: HTMLElement | null): boolean {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && at.type !== 'checkbox' && form?.contains(at) === true;
}

function ErrorNotice({ desk, read }: Pick<Props, 'desk' | 'read'>) {
  const { drawer } = desk;
  const { code, text } = drawer.error.value!;
  const { balanceDue, currency } = read.reservation.financial;
  return (
    <>
      <p class="form-error">{text}</p>
      {(code === 'PAYMENT_METHOD_REQUIRED' || code === 'PAYMENT_DECLINED') && balanceDue > 0 && (
        <ServiceButton desk={desk} onClick={() => void drawer.takeCash(balanceDue)}>
          {words.takeCash(moneyText(balanceDue, currency))}
        </ServiceButton>
      )}
    </>
  );
}

/** Choices before an action. */
function Choices({ desk, read, request }: Props) {
  const { drawer } = desk;
  switch (request.kind) {
    case 'check-in':
      return (
        <label>
          {words.keyCards}
          <select
            value={request.keyCards}
            onChange={(event) => void drawer.ask({ kind: 'check-in', keyCards: Number(event.currentTarget.value) })}
          >
            {KEY_CARDS.map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
      );
    case 'cancel':
      return (
        <label>
          {words.reason}
          <select
            value={request.reason}
            onChange={(event) => void drawer.ask({ kind: 'cancel', reason: event.currentTarget.value })}
          >
            {Object.entries(cancelReasons).map(([reason, text]) => (
              <option key={reason} value={reason}>
                {text}
              </option>
            ))}
          </select>
        </label>
      );
    case 'walk':
      return <WalkChoice desk={desk} request={request} />;
    case 'room':
      return <RoomChoice desk={desk} read={read} roomNumber={request.roomNumber} />;
    case 'dates':
      return <Dates desk={desk} read={read} request={request} />;
    case 'check-out':
      return null;
  }
}

function RoomChoice({ desk, read, roomNumber }: Pick<Props, 'desk' | 'read'> & { roomNumber: string | undefined }) {
  const stay = stayOf(read.reservation);
  const fits = desk.moving
    .fits(stay)
    .filter(({ room }) => room.roomNumber !== stay.roomNumber)
    .sort(
      (a, b) =>
        Number(b.isFree && b.isOwnType) - Number(a.isFree && a.isOwnType) ||
        Number(b.isFree) - Number(a.isFree) ||
        Number(b.isReady) - Number(a.isReady),
    );
  const inChart = (): void => {
    desk.drawer.close();
    desk.moving.pickUp(stay);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-stay="${stay.reservationId}"]`)?.focus());
  };
  return (
    <>
      <label>
        {words.roomsLegend}
        <select
          value={roomNumber ?? ''}
          onChange={(event) => void desk.drawer.ask({ kind: 'room', roomNumber: event.currentTarget.value })}
        >
          <option value="" disabled>
            …
          </option>
          {fits.map((fit) => (
            <option key={fit.room.roomNumber} value={fit.room.roomNumber}>
              {`${fit.room.roomNumber}, ${fit.room.roomType}: ${fitMessages(fit)}`}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={inChart}>
        {words.inChart}
      </button>
    </>
  );
}

function WalkChoice({ desk, request }: Pick<Props, 'desk'> & { request: ConfirmRequest & { kind: 'walk' } }) {
  const { drawer } = desk;
  type Walk = Pick<typeof request, 'to' | 'compensation' | 'reason'>;
  /** Checked when a field is left, not while it is typed into; a wrong amount says what is wrong. */
  const field = (valueOf: (field: HTMLInputElement) => Partial<Walk>) => ({
    onInput: () => drawer.doubt(),
    onChange: ({ currentTarget: at }: { currentTarget: HTMLInputElement }) => {
      if (at.reportValidity()) void drawer.ask({ ...request, answer: undefined, ...valueOf(at) });
    },
    onBlur: ({ currentTarget: at }: { currentTarget: HTMLInputElement }) => {
      const hasResult = drawer.busy.peek() || request.answer !== undefined || drawer.error.peek() !== undefined;
      if (!hasResult && at.checkValidity()) void drawer.ask({ ...request, ...valueOf(at) });
    },
  });
  return (
    <>
      <label>
        {words.walkTo}
        <input maxLength={200} defaultValue={request.to} {...field((at) => ({ to: at.value.trim() }))} />
      </label>
      <label>
        {words.compensation}
        <input
          inputMode="decimal"
          autocomplete="off"
          defaultValue={String(request.compensation)}
          {...field((at) => ({ compensation: amountIn(at.value) ?? 0 }))}
          onInput={({ currentTarget: at }) => {
            // A number field would take 50,00 for 5000.
            at.setCustomValidity(amountProblem(at.value, readAmount(at.value), true) ?? '');
            drawer.doubt();
          }}
        />
      </label>
      <label>
        {words.reason}
        <input maxLength={500} defaultValue={request.reason} {...field((at) => ({ reason: at.value.trim() }))} />
      </label>
    </>
  );
}

function Dates({ desk, read, request }: Props) {
  if (request.kind !== 'dates') return null;
  const ask = (changed: { checkIn?: string; checkOut?: string }): void => {
    const { checkIn, checkOut } = { ...request, ...changed };
    if (checkIn !== '' && checkOut !== '') void desk.drawer.ask({ kind: 'dates', checkIn, checkOut });
  };
  return (
    <div class="dates">
      {read.reservation.status !== 'CHECKED_IN' && (
        <label>
          {words.arrival}
          <input
            type="date"
            value={request.checkIn}
            min={desk.today.value}
            onChange={(event) => ask({ checkIn: event.currentTarget.value })}
          />
        </label>
      )}
      <label>
        {words.departure}
        <input
          type="date"
          value={request.checkOut}
          min={desk.today.value}
          onChange={(event) => ask({ checkOut: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}
