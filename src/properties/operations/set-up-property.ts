import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, Reply } from '../../kernel/rules/commands.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { BAR, type RatePlan } from '../../rates/rules/rate-plan.ts';
import type { CreatePropertyBody, UpdatePropertyBody } from '../contracts/properties.ts';
import { DEFAULT_POLICIES, type Policies, policiesOf, type Property } from '../rules/property.ts';

/** Stay and advance limits of the plans that a new property gets. */
type PlanLimits = Pick<RatePlan, 'maxLengthOfStay' | 'maxAdvanceBooking' | 'strategy'>;

const DEFAULT_LIMITS: PlanLimits = { maxLengthOfStay: 30, maxAdvanceBooking: 365, strategy: 'FIXED' };

/**
 * Creates a property with its three rate plans (docs/reference/rates.md#rate-plans). @throws DomainError
 * ALREADY_EXISTS
 */
export async function createProperty(
  services: Services,
  caller: Caller,
  body: CreatePropertyBody,
  key?: ClientKey,
  limits: Partial<PlanLimits> = {},
): Promise<Reply<Property>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  const command = creationOf(body, await services.settings.policies(caller.tenantId), limits);
  return send(services, caller, to, command, claim(key));
}

/** The command that creates a property with its three rate plans. @param tenants policies of the tenant */
export function creationOf(
  body: CreatePropertyBody,
  tenants: Partial<Policies>,
  limits: Partial<PlanLimits> = {},
): CommandOf<'CREATE_PROPERTY'> {
  const property = propertyOf(body.propertyId, body, tenants);
  const plans = standardPlans(property, { ...DEFAULT_LIMITS, maxAdvanceBooking: advanceOf(property), ...limits });
  return { type: 'CREATE_PROPERTY', property, plans };
}

/** Replaces the data of a property; policies that are left out follow the tenant. */
export async function updateProperty(
  services: Services,
  caller: Caller,
  propertyId: PropertyId,
  body: UpdatePropertyBody,
  key?: ClientKey,
): Promise<Reply<Property>> {
  const to = { tenantId: caller.tenantId, propertyId };
  const property = propertyOf(propertyId, body, await services.settings.policies(caller.tenantId));
  return send(services, caller, to, { type: 'UPDATE_PROPERTY', property }, claim(key));
}

/** Soft-deletes a property. @throws DomainError PROPERTY_IN_USE while it has unfinished reservations */
export async function deleteProperty(
  services: Services,
  caller: Caller,
  propertyId: PropertyId,
  key?: ClientKey,
): Promise<Reply<null>> {
  const to = { tenantId: caller.tenantId, propertyId };
  // A repeated request finds the property deleted, and activates it for the answer under its key.
  if (key) await mustHaveBeen(services, to);
  return send(services, caller, to, { type: 'DELETE_PROPERTY' }, claim(key));
}

/** Restores a deleted property as it was. @throws DomainError INVALID_STATE when it was not deleted */
export async function restoreProperty(
  services: Services,
  caller: Caller,
  propertyId: PropertyId,
  key?: ClientKey,
): Promise<Reply<Property>> {
  const to = { tenantId: caller.tenantId, propertyId };
  await mustHaveBeen(services, to);
  return send(services, caller, to, { type: 'RESTORE_PROPERTY' }, claim(key));
}

/**
 * A property that never existed is not activated, because that would write a row for it. @throws DomainError
 * PROPERTY_NOT_FOUND
 */
async function mustHaveBeen({ propertyReader, properties }: Services, to: Address): Promise<void> {
  if (!(await propertyReader.isRemoved(to))) await properties.view(to);
}

function propertyOf(propertyId: PropertyId, body: UpdatePropertyBody, tenants: Partial<Policies>): Property {
  const { totalRooms: _derived, policies: ownPolicies, ...metadata } = body.metadata;
  const { name, propertyCode, brand, propertyType, address, contact } = body;
  return {
    propertyId,
    name,
    propertyCode,
    brand,
    propertyType,
    address,
    contact,
    metadata: { ...metadata, policies: policiesOf(ownPolicies, tenants), ownPolicies },
    createdAt: 0,
    updatedAt: 0,
  };
}

/** With a horizon beyond the default, the plans can be booked as far ahead. */
function advanceOf({ metadata }: Property): number {
  const { horizonNights } = metadata.policies;
  return horizonNights > DEFAULT_POLICIES.horizonNights ? horizonNights : DEFAULT_LIMITS.maxAdvanceBooking;
}

/** BAR with the property's default terms, FLEX ten percent above it and guaranteed by a card, NRF ten percent below. */
function standardPlans({ metadata }: Property, limits: PlanLimits): RatePlan[] {
  const plan = (code: string, name: string, adjustmentPercent: number, cancellationPolicy: string): RatePlan => ({
    id: uuidv7(),
    code,
    name,
    status: 'ACTIVE',
    adjustmentPercent,
    cancellationPolicy,
    minRatePercent: 60,
    maxRatePercent: 200,
    minLengthOfStay: 1,
    minAdvanceBooking: 0,
    ...limits,
  });
  return [
    plan(BAR, 'Best available rate', 0, metadata.policies.cancellationPolicy),
    { ...plan('FLEX', 'Flexible rate', 10, 'FLEXIBLE'), guarantee: 'CARD' },
    plan('NRF', 'Non-refundable rate', -10, 'NON_REFUNDABLE'),
  ];
}
