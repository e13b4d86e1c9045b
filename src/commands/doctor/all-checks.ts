import { examineCertificates } from './certificates.ts';
import type { DoctorCheck } from './check.ts';
import { examineSettings } from './contradictions.ts';
import { examineClock, examineDatabase, examineKeys, examineLag, examineLogins, examineSchema } from './database.ts';
import { examineDisk, examinePermissions } from './files.ts';
import { examinePorts } from './listeners.ts';
import { examineIssuer, examineKafka, examineRedis, examineRegistry } from './partners.ts';
import { examineStandbys } from './standbys.ts';
import { examineRuntimes } from './versions.ts';

/** In the order in which trouble is best corrected (docs/operations/doctor.md#checks). */
export const DOCTOR_CHECKS: readonly DoctorCheck[] = [
  { name: 'settings', examine: examineSettings },
  { name: 'runtimes', examine: examineRuntimes },
  { name: 'permissions', examine: examinePermissions },
  { name: 'disk', examine: examineDisk },
  { name: 'ports', examine: examinePorts },
  { name: 'certificates', examine: examineCertificates },
  { name: 'database', examine: examineDatabase },
  { name: 'standbys', examine: examineStandbys },
  { name: 'clock', examine: examineClock },
  { name: 'schema', examine: examineSchema },
  { name: 'logins', examine: examineLogins },
  { name: 'keys', examine: examineKeys },
  { name: 'lag', examine: examineLag },
  { name: 'redis', examine: examineRedis },
  { name: 'kafka', examine: examineKafka },
  { name: 'registry', examine: examineRegistry },
  { name: 'issuer', examine: examineIssuer },
];
