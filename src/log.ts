/** JSON lines on standard error. What must never be in a log is cut out here, should it ever get this far. */
import { pino } from 'pino';
import type { Config } from './config.ts';
import { maskPhone } from './domain/phone.ts';
import type { Log } from './domain/ports.ts';
import { VERSION } from './version.ts';

const SECRET_FIELDS = ['password', 'token', 'secret', 'apiKey', 'authorization'];
const PHONE = /\+?\b\d{10,15}\b/g;
const VOUCHER_CODE = /\b[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}\b/g;

export function createLog(level: Config['logLevel'], stream: { write(line: string): void } = process.stderr): Log {
  return pino(
    {
      level,
      base: { version: VERSION },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap(field => [field, `*.${field}`]), censor: '[secret]' },
      hooks: {
        // Wherever they stand: in fields, in messages of errors, in stacks.
        streamWrite: line => line.replace(PHONE, digits => maskPhone(digits)).replace(VOUCHER_CODE, '[voucher]'),
      },
    },
    stream,
  );
}
