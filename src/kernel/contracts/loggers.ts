import { z } from 'zod';

/** Spring Boot's level names; OFF disables logging. */
const level = z.enum(['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE']);

/** `POST /actuator/loggers/{name}`: null resets to the parent logger's level. */
export const loggerBody = z.strictObject({ configuredLevel: level.nullable() });
export type LoggerBody = z.infer<typeof loggerBody>;
