import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { HoldId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import { getReservation } from '../../stay/operations/find-reservations.ts';
import { getHold } from '../../stay/operations/holds/find-hold.ts';
import { guaranteeUnder } from '../../stay/rules/guarantee.ts';
import { holderOf } from '../../stay/rules/hold-bounds.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { AGENT_BOUNDS, AGENT_CHANNEL, AGENT_GUARANTEES } from '../rules/agent-bounds.ts';
import { checkAgentBookings } from '../rules/booking-limits.ts';
import { inAgentTurn } from './agent-turns.ts';

/** How the guest of an agent's booking pays. */
type AgentPayment = keyof typeof AGENT_GUARANTEES;

/**
 * The scope of an agent: what it holds, sells and sees. Each operation of this folder begins here
 * (docs/reference/mcp.md#what-an-agent-may).
 */
export class AgentScope {
  readonly services: Services;
  readonly caller: Caller;

  constructor(services: Services, caller: Caller) {
    const { holds, roomNights } = services.holdLimits;
    // 0 is no limit for users; an agent always has one.
    const holdLimits = {
      holds: Math.min(holds || Infinity, AGENT_BOUNDS.holds),
      roomNights: Math.min(roomNights || Infinity, AGENT_BOUNDS.roomNights),
    };
    // A price that was quoted to one agent is promised to no other one.
    this.services = {
      ...services,
      holdLimits,
      signed: services.signed.ownedBy(`${caller.tenantId} ${caller.subject}`),
    };
    this.caller = caller;
  }

  /** Plans of a property that an agent can book, with how their guest pays. */
  plansOf({ setup }: PropertyView): { plan: RatePlan; payment: AgentPayment }[] {
    return setup.plans.flatMap((plan) => {
      const payment = plan.status === 'ACTIVE' ? this.#paymentOf(plan, setup.property) : undefined;
      return payment === undefined ? [] : [{ plan, payment }];
    });
  }

  /** @throws DomainError UNKNOWN_RATE_CODE for a plan that the property does not have, or that needs a card or a company */
  planOf(view: PropertyView, rateCode: string): { plan: RatePlan; payment: AgentPayment } {
    const found = this.plansOf(view).find(({ plan }) => plan.code === rateCode);
    if (!found) throw new DomainError('UNKNOWN_RATE_CODE', 'The property has no such plan for agents.');
    return found;
  }

  /** A reservation that this agent has made. @throws DomainError RESERVATION_NOT_FOUND, also for those of others */
  async reservation(id: ReservationId): Promise<{ reservation: Reservation; property: Property }> {
    const found = await getReservation(this.services, this.caller, id);
    if (!this.#isOwn(found.reservation)) throw notFound();
    return found;
  }

  /** The same by its number. */
  async numbered(confirmationNumber: string): Promise<{ reservation: Reservation; property: Property }> {
    const { tenantId } = this.caller;
    const { items } = await this.services.reservations.list(tenantId, { confirmationNumber }, 1);
    if (!items[0]) throw notFound();
    return this.reservation(items[0].id);
  }

  /** @throws DomainError HOLD_NOT_FOUND for a hold that this agent has not placed */
  async mustBeOwnHold(id: HoldId): Promise<void> {
    const { hold } = await getHold(this.services, this.caller, id);
    if (holderOf(hold) !== this.caller.subject) throw new DomainError('HOLD_NOT_FOUND', 'You have no such hold.');
  }

  /** Runs a call that takes rooms when those of this agent before it have ended, on every node. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { tenantId, subject } = this.caller;
    return inAgentTurn(this.services.agentLock, `${tenantId} ${subject}`, work);
  }

  /**
   * Checks the limits of an agent before one more booking.
   * @param payment how its guest pays
   * @throws DomainError QUOTA_EXCEEDED
   */
  async mustBeWithinLimits(email: string, payment: AgentPayment): Promise<void> {
    const { tenantId, subject } = this.caller;
    const booked = await this.services.agentBookings(tenantId, subject, email);
    checkAgentBookings(booked, payment === 'AT_PROPERTY', this.services.clock.now());
  }

  #isOwn({ source, timeline }: Reservation): boolean {
    return source.channel === AGENT_CHANNEL && timeline[0]?.by === this.caller.subject;
  }

  /** A link needs a mail server to leave, and a page that takes a card. */
  #paymentOf(plan: RatePlan, { metadata }: Property): AgentPayment | undefined {
    const { kind } = guaranteeUnder(plan, metadata.policies, {});
    if (kind === AGENT_GUARANTEES.AT_PROPERTY) return 'AT_PROPERTY';
    const { sendsMail, hasCardForm } = this.services;
    return kind === AGENT_GUARANTEES.BY_LINK && sendsMail && hasCardForm ? 'BY_LINK' : undefined;
  }
}

const notFound = (): DomainError => new DomainError('RESERVATION_NOT_FOUND', 'You have made no such reservation.');
