import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { ChargeKind } from '../../../../src/money/rules/folio-window.ts';
import { moneyText } from '../../messages.ts';
import { ServiceButton } from '../../service-button.tsx';
import { errorText } from '../problem-messages.ts';
import { MoneyAttempt } from './attempt.ts';
import { Choice, MoneyForm, windowPayer } from './form-parts.tsx';
import { CHARGE_NAMES, splitWords as words } from './messages.ts';
import { moneyLevels } from './section-messages.ts';
import type { CompanyView, FolioView, PostingView, RoutingView } from './shapes.ts';
import type { LevelProps, StayMoney } from './stay-money.ts';

/** What a company usually pays: the nights with all that is on them. */
const USUAL: readonly ChargeKind[] = ['ROOM', 'TAX', 'FEE'];
const OFFERED: readonly ChargeKind[] = ['ROOM', 'TAX', 'FEE', 'EXTRA'];
const SHOWN = 8;

/** Who is to pay what. */
class Split {
  readonly companies = signal<readonly CompanyView[]>([]);
  readonly failed = signal<string | undefined>(undefined);
  readonly name = signal('');
  readonly companyId = signal<string | undefined>(undefined);
  readonly kinds = signal<ReadonlySet<ChargeKind>>(new Set(USUAL));
  readonly attempt: MoneyAttempt<RoutingView>;
  readonly #money: StayMoney;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #search = 0;

  constructor(stayMoney: StayMoney) {
    this.#money = stayMoney;
    this.attempt = new MoneyAttempt(stayMoney.again);
    const { companyId } = stayMoney.stay;
    if (companyId !== null) this.companyId.value = companyId;
    const routed = stayMoney.folio.peek()?.routing.filter(({ window }) => window === 'COMPANY') ?? [];
    if (routed.length > 0) this.kinds.value = new Set(routed.map(({ kind }) => kind));
    void this.#list();
  }

  /** Companies to choose from; the chosen one stays among them. */
  get shown(): readonly CompanyView[] {
    const found = this.companies.value;
    const current = this.#money.company.value;
    return current && !found.some(({ companyId }) => companyId === current.companyId) ? [current, ...found] : found;
  }

  get chosen(): CompanyView | undefined {
    return this.shown.find(({ companyId }) => companyId === this.companyId.value);
  }

  find(name: string): void {
    this.name.value = name;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#list(), 250);
  }

  plan(): { rules: FolioView['routing']; companyId: string } | undefined {
    const companyId = this.companyId.value;
    const kinds = this.kinds.value;
    if (companyId === undefined || kinds.size === 0) return undefined;
    // Rules of other payers, such as a sharer's part, stay as they are.
    const others = (this.#money.folio.peek()?.routing ?? []).filter(
      ({ kind, window }) => window !== 'COMPANY' && !kinds.has(kind),
    );
    const own = OFFERED.map((kind) => ({
      kind,
      window: kinds.has(kind) ? ('COMPANY' as const) : ('GUEST' as const),
    })).filter(({ kind }) => !others.some((rule) => rule.kind === kind));
    return { companyId, rules: [...others, ...own] };
  }

  change(set: () => void): void {
    batch(set);
    this.attempt.error.value = undefined;
    this.renew();
  }

  /** Repeats the dry run: something was typed, or the stay has changed. */
  renew(): void {
    const { api, etag } = this.#money;
    const plan = this.plan();
    this.attempt.tryOut(plan && (() => api.route(plan, { etag, dryRun: true })), 0);
  }

  async send(onDone: () => void): Promise<void> {
    const { api, etag } = this.#money;
    const plan = this.plan();
    const name = this.chosen?.name ?? '';
    if (!plan) return;
    const done = await this.attempt.carryOut(plan, (key) => api.route(plan, { etag, key }));
    if (!done) return;
    onDone();
    await this.#money.did(words.done(name));
  }

  /** Ends the routing: every kind is where the guarantee of the booking has it. */
  async undo(onDone: () => void): Promise<void> {
    const { api, etag } = this.#money;
    const done = await this.attempt.carryOut({ rules: [] }, (key) => api.route({ rules: [] }, { etag, key }));
    if (!done) return;
    onDone();
    await this.#money.did(words.undone);
  }

  async #list(): Promise<void> {
    const search = ++this.#search;
    try {
      const found = await this.#money.api.companies(this.name.peek().trim(), SHOWN);
      if (search === this.#search) this.companies.value = found;
    } catch (error) {
      this.failed.value = errorText(error);
    }
  }
}

/** "Split the bill with a company": which kinds it pays, line by line before it is done. */
export function SplitForm({ stayMoney, onBack, onDone }: LevelProps) {
  const form = stayMoney.form('split', () => new Split(stayMoney));
  useEffect(() => form.renew(), [stayMoney.read.value.etag]);
  const preview = form.attempt.preview.value;
  const company = preview?.windows.find(({ window }) => window === 'COMPANY');
  const { chosen } = form;
  const { currency } = stayMoney;
  const isSplit = stayMoney.folio.value?.routing.some(({ window }) => window === 'COMPANY') ?? false;
  return (
    <MoneyForm
      stayMoney={stayMoney}
      label={moneyLevels.split}
      attempt={form.attempt}
      line={
        company && chosen
          ? `${words.pays(chosen.name, moneyText(company.expectedTotal, currency))} ${words.total}.`
          : undefined
      }
      button={words.now}
      isReady={preview !== undefined && chosen !== undefined}
      onSend={() => void form.send(onDone)}
      onBack={onBack}
    >
      {form.failed.value !== undefined && <p class="form-error">{form.failed.value}</p>}
      <label>
        {words.find}
        <input
          type="search"
          autocomplete="off"
          value={form.name.value}
          onInput={({ currentTarget: at }) => form.find(at.value)}
        />
      </label>
      {form.shown.length === 0 ? (
        <p class="muted">{words.none}</p>
      ) : (
        <Choice
          legend={words.company}
          name="company"
          value={form.companyId.value}
          options={form.shown.map(({ companyId, name }) => ({ value: companyId, text: name }))}
          onChoose={(id) => form.change(() => (form.companyId.value = id))}
        />
      )}
      <Kinds form={form} />
      {preview && <Lines stayMoney={stayMoney} preview={preview} company={chosen} />}
      {isSplit && (
        <ServiceButton desk={stayMoney.desk} class="quiet" onClick={() => void form.undo(onDone)}>
          {words.undo}
        </ServiceButton>
      )}
    </MoneyForm>
  );
}

function Kinds({ form }: { form: Split }) {
  return (
    <fieldset class="choice">
      <legend>{words.kinds}</legend>
      {OFFERED.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={form.kinds.value.has(kind)}
            onChange={({ currentTarget: at }) =>
              form.change(() => (form.kinds.value = withKind(form.kinds.value, kind, at.checked)))
            }
          />
          <span>{CHARGE_NAMES[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}

type LinesProps = { stayMoney: StayMoney; preview: RoutingView; company: CompanyView | undefined };

/** The folio as it will be, payer by payer. */
function Lines({ stayMoney, preview, company }: LinesProps) {
  const { currency } = stayMoney;
  return (
    <>
      {preview.windows.map(({ window, postings, expectedTotal }) => (
        <section key={window} class="preview" aria-label={windowPayer(stayMoney, window)}>
          <p>
            <strong>{window === 'COMPANY' && company ? company.name : windowPayer(stayMoney, window)}</strong>
            <span class="amount">{moneyText(expectedTotal, currency)}</span>
          </p>
          <ul>
            {postings.filter(isCharge).map(({ postingId, description, amount }) => (
              <li key={postingId}>
                <span>{description}</span>
                <span class="amount">{moneyText(amount, currency)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const isCharge = ({ kind }: PostingView): boolean => kind !== 'PAYMENT' && kind !== 'REFUND';

function withKind(kinds: ReadonlySet<ChargeKind>, kind: ChargeKind, isOn: boolean): ReadonlySet<ChargeKind> {
  const next = new Set(kinds);
  if (isOn) next.add(kind);
  else next.delete(kind);
  return next;
}
