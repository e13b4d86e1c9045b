import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { mayManage } from '../../access/roles.ts';
import { shortDay } from '../../grid/days.ts';
import { moneyText } from '../../messages.ts';
import { ServiceButton } from '../../service-button.tsx';
import { MoneyAttempt } from './attempt.ts';
import { Deposits } from './deposits.tsx';
import { MoneyForm, windowPayer } from './form-parts.tsx';
import { billLine } from './invoice/bill-line.ts';
import { folioWords as words, formWords, paidLine } from './messages.ts';
import type { PostingView, WindowView } from './shapes.ts';
import type { StayMoney } from './stay-money.ts';

const OPEN: ReadonlySet<string> = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN']);

/** The folio: for each payer what is posted, paid and open. */
export function FolioSection({ stayMoney }: { stayMoney: StayMoney }) {
  const voiding = useSignal<PostingView | undefined>(undefined);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.scrollIntoView({ block: 'nearest' }), []);
  const folio = stayMoney.folio.value;
  if (!folio) return <p class="muted">{stayMoney.error.value ?? formWords.loading}</p>;
  const mayVoid = mayManage(stayMoney.desk.role.value) && OPEN.has(stayMoney.stay.status);
  return (
    <div class="folio" ref={top}>
      {folio.windows.map((window) => (
        <Window
          key={window.window}
          stayMoney={stayMoney}
          window={window}
          onVoid={mayVoid ? (posting) => (voiding.value = posting) : undefined}
        />
      ))}
      {voiding.value && (
        <VoidForm
          key={voiding.value.postingId}
          stayMoney={stayMoney}
          posting={voiding.value}
          onEnd={() => (voiding.value = undefined)}
        />
      )}
      <Deposits stay={stayMoney.stay} />
      {!mayManage(stayMoney.desk.role.value) && <p class="muted">{words.managerVoids}</p>}
    </div>
  );
}

type WindowProps = {
  stayMoney: StayMoney;
  window: WindowView;
  onVoid: ((posting: PostingView) => void) | undefined;
};

function Window({
  stayMoney,
  window: { window, postings, total, paid, balance, expectedTotal },
  onVoid,
}: WindowProps) {
  const amount = (value: number): string => moneyText(value, stayMoney.currency);
  const name = windowPayer(stayMoney, window);
  // The stay above says its own total and balance: these are of what is posted, as long as nights are to come.
  const hasMore = expectedTotal !== total;
  return (
    <section class="window" aria-label={name}>
      <h3>{name}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.date}</th>
            <th scope="col">{words.what}</th>
            <th scope="col" class="amount">
              {words.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {postings.length === 0 && (
            <tr>
              <td colSpan={3} class="muted">
                {words.none}
              </td>
            </tr>
          )}
          {postings.map((posting) => (
            <Posting key={posting.postingId} stayMoney={stayMoney} posting={posting} onVoid={onVoid} />
          ))}
        </tbody>
        <tfoot>
          <Sum name={hasMore ? words.totalSoFar : words.total} value={amount(total)} />
          <Sum name={words.paid} value={amount(paid)} />
          <Sum name={hasMore ? words.balanceSoFar : words.balance} value={amount(balance)} isStrong={!hasMore} />
          {hasMore && (
            <>
              <Sum name={words.expected} value={amount(expectedTotal)} />
              <Sum name={words.open} value={amount(stayMoney.open(window))} isStrong />
            </>
          )}
        </tfoot>
      </table>
    </section>
  );
}

function Sum({ name, value, isStrong = false }: { name: string; value: string; isStrong?: boolean }) {
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <td class="amount">{isStrong ? <strong>{value}</strong> : value}</td>
    </tr>
  );
}

type PostingProps = { stayMoney: StayMoney; posting: PostingView; onVoid: WindowProps['onVoid'] };

function Posting({ stayMoney: { desk, currency }, posting, onVoid }: PostingProps) {
  const { kind, businessDate, quantity, description, voidedBy, voids, reason, postedBy } = posting;
  const isMoney = kind === 'PAYMENT' || kind === 'REFUND';
  // Payments lower what is open, whatever their sign.
  const shown = kind === 'PAYMENT' ? 0 - posting.amount : posting.amount;
  const isVoidable = kind === 'EXTRA' && voidedBy === undefined && voids === undefined && postedBy !== undefined;
  return (
    <tr data-voided={voidedBy !== undefined || undefined} data-money={isMoney || undefined}>
      <td>{shortDay(businessDate)}</td>
      <td>
        <span class="what">
          {quantity > 1 && `${quantity} × `}
          {isMoney ? paidLine(posting) : billLine(description)}
        </span>
        {voidedBy !== undefined && <small> {words.voided}</small>}
        {voids !== undefined && <small> {words.takesBack}</small>}
        {reason !== undefined && <small> {reason}</small>}
        {onVoid && isVoidable && (
          <ServiceButton
            desk={desk}
            class="quiet void"
            aria-label={words.voidLong(posting, currency)}
            onClick={() => onVoid(posting)}
          >
            {words.void}
          </ServiceButton>
        )}
      </td>
      <td class="amount">{moneyText(shown, currency)}</td>
    </tr>
  );
}

function VoidForm({ stayMoney, posting, onEnd }: { stayMoney: StayMoney; posting: PostingView; onEnd: () => void }) {
  const reason = useSignal('');
  const attempt = useMemo(() => new MoneyAttempt<PostingView>(stayMoney.again), [stayMoney]);
  const { api } = stayMoney;
  // A part of a divided posting is voided with the whole.
  const postingId = posting.postingId.replace(/\/SHARER$/, '');
  const send = async (): Promise<void> => {
    const why = reason.value.trim();
    const write = { etag: stayMoney.etag };
    const done = await attempt.carryOut({ postingId, why }, (key) =>
      api.voidPosting(postingId, why, { ...write, key }),
    );
    if (!done) return;
    onEnd();
    await stayMoney.did(words.voidedNow(posting));
  };
  return (
    <MoneyForm
      stayMoney={stayMoney}
      label={words.voidLong(posting, stayMoney.currency)}
      attempt={attempt}
      line={words.voids(posting, windowPayer(stayMoney, posting.window), stayMoney.currency)}
      button={words.voidNow}
      isReady={reason.value.trim() !== ''}
      isGrave
      onSend={() => void send()}
      onBack={onEnd}
    >
      <label>
        {formWords.reason}
        <input
          type="text"
          maxLength={500}
          value={reason.value}
          onInput={({ currentTarget: at }) => (reason.value = at.value)}
        />
      </label>
    </MoneyForm>
  );
}
