import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { acceptanceRuleAnswer } from '../../../src/revenue/contracts/acceptance-rule.ts';
import { ask } from '../api.ts';
import { momentText } from '../grid/days.ts';
import { ServiceButton } from '../service-button.tsx';
import { whoText } from '../who.ts';
import { advising as words } from './advice-messages.ts';
import { standingByRule, takeBack } from './advice.ts';
import { percentIn } from './chosen-nights.ts';
import { faultText } from './editor-messages.ts';
import type { RevenueStore } from './store.ts';

type Rule = WireOf<typeof acceptanceRuleAnswer>;

const USUAL_PERCENT = 5;

/** The rule as the service has it, the limit as it is typed, and how the rule is set. */
function useRule(desk: RevenueStore) {
  const rule = useSignal<Rule | undefined>(undefined);
  const limit = useSignal(String(USUAL_PERCENT));
  const busy = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const { api, optimization } = desk.revenue;
  const propertyId = api?.of.propertyId;
  const send = async (body?: object): Promise<void> => {
    const path = `/api/v1/rates/yield-optimization/rule/${encodeURIComponent(propertyId!)}`;
    const answer = await ask(api!.of.access, 'rate', path, body && { method: 'PUT', body });
    if (desk.revenue.api?.of.propertyId !== propertyId) return;
    rule.value = answer.body as Rule;
    limit.value = String(rule.value.acceptUpToPercent ?? USUAL_PERCENT);
  };
  // What somebody else has set is read with every new optimization.
  useEffect(() => {
    if (propertyId !== undefined) void send().catch(() => undefined);
  }, [propertyId, optimization.value?.optimizationId]);
  const save = async (enabled: boolean, acceptUpToPercent: number): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    error.value = undefined;
    const { roomTypes, byLead } = rule.peek() ?? {};
    const rest = { ...(roomTypes && { roomTypes }), ...(byLead && { byLead }) };
    await send({ enabled, acceptUpToPercent, ...rest }).catch(
      (fault: unknown) => (error.value = faultText(fault, words.ruleFailed)),
    );
    busy.value = false;
  };
  return { rule: rule.value, limit, busy: busy.value, error: error.value, save };
}

/** What the service accepts by itself: the rule of the property, and what it has accepted last. */
export function RuleSwitch({ desk }: { desk: RevenueStore }) {
  const { rule, limit, busy, error, save } = useRule(desk);
  if (!rule) return null;
  const { enabled, acceptUpToPercent, byLead, roomTypes, setBy, setByName, setAt } = rule;
  const percent = percentIn(limit.value) ?? 0;
  const isLimit = percent >= 0.1 && percent <= 100;
  const current = (enabled || !isLimit ? acceptUpToPercent : percent) ?? USUAL_PERCENT;
  return (
    <div class="rule" role="group" aria-label={words.automatically(current)}>
      <ByRule desk={desk} />
      <p class="actions up-to">
        <label>
          <input
            type="checkbox"
            role="switch"
            checked={enabled}
            disabled={!enabled && !isLimit}
            onChange={(event) => {
              // What is shown is what the service has: it changes with its answer.
              event.currentTarget.checked = enabled;
              void save(!enabled, isLimit ? percent : current);
            }}
          />{' '}
          {words.automatically(current)}
        </label>
        <input
          type="text"
          inputMode="decimal"
          maxLength={5}
          autocomplete="off"
          aria-label={words.limit}
          value={limit.value}
          onInput={(event) => (limit.value = event.currentTarget.value)}
        />
        {enabled && isLimit && percent !== acceptUpToPercent && (
          <ServiceButton desk={desk} disabled={busy} onClick={() => void save(true, percent)}>
            {words.change(percent)}
          </ServiceButton>
        )}
      </p>
      <small>
        {isLimit ? (enabled ? words.ruleOn(roomTypes) : words.ruleOff) : words.noPercent}{' '}
        {enabled && (byLead ?? []).map((one) => `${words.fromDays(one.fromDays, one.acceptUpToPercent)} `)}
        {setBy !== null && setAt !== null && words.ruleBy(whoText(setBy, setByName), momentText(setAt))}
      </small>
      {error !== undefined && <p role="alert">{error}</p>}
    </div>
  );
}

/** Nights that the rule has accepted of the newest recommendations, with the way back. */
function ByRule({ desk }: { desk: RevenueStore }) {
  const rule = desk.revenue.optimization.value?.acceptedByRule;
  const nights = standingByRule(desk);
  if (!rule || nights.length === 0) return null;
  return (
    <p class="actions">
      <span>{words.byRule(nights.length, rule.upToPercent)}</span>
      <ServiceButton desk={desk} disabled={desk.changes.busy.value} onClick={() => void takeBack(desk, nights)}>
        {words.takeBack}
      </ServiceButton>
    </p>
  );
}
