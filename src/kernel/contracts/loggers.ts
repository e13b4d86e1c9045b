import { z } from 'zod';

/** Spring Boot's names; OFF says nothing at all. */
const level = z.enum(['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE']);

/** `POST /actuator/loggers/{name}`: null goes back to the level of the logger above. */
export const loggerBody = z.strictObject({ configuredLevel: level.nullable() });
export type LoggerBody = z.infer<typeof loggerBody>;
