/** Services that tests need, in the order of their start. */
export const PARTS = ['postgres', 'redis', 'kafka', 'registry'] as const;
export type Part = (typeof PARTS)[number];

/** The variable that says where a part is; the service reads the same ones (`src/platform/config/environment.ts`). */
export const VARIABLES = {
  postgres: 'DATABASE_URL',
  redis: 'REDIS_URL',
  kafka: 'KAFKA_BROKERS',
  registry: 'SCHEMA_REGISTRY_URL',
} as const satisfies Record<Part, string>;
