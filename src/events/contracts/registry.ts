import { EVENT_FAILURES } from '../rules/event-failure.ts';

/** Media type of Confluent's schema registry (docs/concepts/events.md#schemas). */
export const REGISTRY_TYPE = 'application/vnd.schemaregistry.v1+json';

/** Errors of the registry with Confluent's codes, by which clients distinguish them. */
const FAULTS = {
  NO_SUBJECT: [404, 40401],
  NO_VERSION: [404, 40402],
  NO_SCHEMA: [404, 40403],
  NO_CONFIG: [404, 40408],
  NO_ROUTE: [404, 404],
  INCOMPATIBLE: [409, 409],
  WRONG_SCHEMA: [422, 42201],
  WRONG_VERSION: [422, 42202],
  WRONG_LEVEL: [422, 42203],
  WRONG_BODY: [422, 422],
  TOO_MANY: [422, 42206],
} as const;

/** An error in the registry's own format: its clients know no other. */
export class RegistryFault extends Error {
  override readonly name = 'RegistryFault';
  readonly status: number;
  readonly errorCode: number;

  constructor(kind: keyof typeof FAULTS, message: string) {
    super(message);
    [this.status, this.errorCode] = FAULTS[kind];
  }

  /** The message that clients expect, with the incompatibilities. */
  static incompatible(subject: string, details: readonly string[]): RegistryFault {
    const { message, remedy } = EVENT_FAILURES.SCHEMA_INCOMPATIBLE;
    return new RegistryFault(
      'INCOMPATIBLE',
      `${message} with an earlier schema for subject "${subject}", details: [${details.join('; ')}]; ${remedy}`,
    );
  }
}
