/** FreeRADIUS with SQLite, from Debian's packages, and load in its own protocol (RFC 2865). */
import { spawn } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { macOf, phoneOf } from './books.ts';
import type { LoadResult } from './load.ts';

const SECRET = 'testing123';
const PASSWORD = 'wifi';
const DEBIAN = '/etc/freeradius/3.0/mods-config/sql/main/sqlite';

export interface RadiusServer {
  port: number;
  stop(): Promise<void>;
}

/** @param recording every answer is written down, as `/api/router/auth/` notes who was seen */
export async function startRadius(users: number, active: number, recording: boolean): Promise<RadiusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lango-radius-'));
  const file = join(folder, 'radius.db');
  const db = new SqliteDatabase(file);
  db.pragma('journal_mode = WAL');
  db.exec(readFileSync(join(DEBIAN, 'schema.sql'), 'utf8'));
  const insert = db.prepare("INSERT INTO radcheck (username, attribute, op, value) VALUES (?, ?, ':=', ?)");
  db.transaction(() => {
    for (let n = 0; n < users; n += 1) {
      insert.run(phoneOf(n), 'Cleartext-Password', PASSWORD);
      // Who has not paid is refused, as in Lango.
      if (n >= active) insert.run(phoneOf(n), 'Auth-Type', 'Reject');
    }
  })();
  db.exec('ANALYZE');
  db.close();
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  writeFileSync(join(folder, 'radiusd.conf'), configuration({ folder, file, port, recording }));
  writeFileSync(join(folder, 'dictionary'), '$INCLUDE /usr/share/freeradius/dictionary\n');
  chmodSync(folder, 0o755);
  const child = spawn('taskset', ['-c', '0', 'freeradius', '-f', '-d', folder, '-l', join(folder, 'log')], {
    stdio: 'inherit',
  });
  await setTimeout(2_500);
  if (child.exitCode !== null) throw new Error(`FreeRADIUS ended: ${readFileSync(join(folder, 'log'), 'utf8')}`);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(of: { folder: string; file: string; port: number; recording: boolean }): string {
  return `
prefix = /usr
libdir = /usr/lib/freeradius
logdir = ${of.folder}
run_dir = ${of.folder}
pidfile = ${of.folder}/pid
max_requests = 65536
log { destination = files
 file = ${of.folder}/log
 auth = no }
client here { ipaddr = 127.0.0.1
 secret = ${SECRET} }
thread pool { start_servers = 8
 max_servers = 16
 min_spare_servers = 2
 max_spare_servers = 8
 max_requests_per_server = 0 }
modules {
 expr {
 }
 pap {
 }
 sql {
  driver = "rlm_sql_sqlite"
  dialect = "sqlite"
  sqlite { filename = "${of.file}"
   busy_timeout = 1000 }
  radius_db = "radius"
  authcheck_table = "radcheck"
  authreply_table = "radreply"
  groupcheck_table = "radgroupcheck"
  groupreply_table = "radgroupreply"
  usergroup_table = "radusergroup"
  postauth_table = "radpostauth"
  acct_table1 = "radacct"
  acct_table2 = "radacct"
  read_groups = no
  read_profiles = no
  delete_stale_sessions = no
  client_table = "nas"
  group_attribute = "SQL-Group"
  pool { start = 8
   min = 4
   max = 16
   spare = 8
   uses = 0
   lifetime = 0
   idle_timeout = 0
   retry_delay = 1 }
  $INCLUDE ${DEBIAN}/queries.conf
 }
}
instantiate {
 expr
}
server default {
 listen { type = auth
  ipaddr = 127.0.0.1
  port = ${of.port} }
 authorize {
  sql
  pap
 }
 authenticate {
  Auth-Type PAP {
   pap
  }
 }
 post-auth {
  ${of.recording ? 'sql' : ''}
  Post-Auth-Type REJECT {
   ${of.recording ? 'sql' : ''}
  }
 }
}
`;
}

/** One request under way on each of so many sockets; a packet that is lost is sent again after a second. */
export async function radiusLoad(options: {
  port: number;
  packets: readonly Buffer[];
  seconds: number;
  sockets?: number;
}): Promise<LoadResult> {
  const { port, packets, seconds, sockets = 32 } = options;
  const times: number[] = [];
  const begun = performance.now();
  const endsAt = begun + seconds * 1_000;
  let sent = Math.floor(Math.random() * packets.length);
  await Promise.all(
    Array.from({ length: sockets }, async () => {
      const socket = createSocket('udp4');
      socket.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      while (performance.now() < endsAt) {
        const packet = packets[sent % packets.length] as Buffer;
        sent += 1;
        const at = performance.now();
        for (;;) {
          socket.send(packet);
          const answered = await Promise.race([once(socket, 'message'), setTimeout(1_000, null, { ref: false })]);
          if (answered !== null) break;
        }
        times.push(performance.now() - at);
      }
      socket.close();
    }),
  );
  const elapsed = (performance.now() - begun) / 1_000;
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), longest: at(1), requests: times.length };
}

/** Access-Request: who, with which password, from which device. */
export function accessRequest(n: number): Buffer {
  const authenticator = randomBytes(16);
  const attributes = Buffer.concat([
    attribute(1, Buffer.from(phoneOf(n))),
    attribute(2, hidden(PASSWORD, authenticator)),
    attribute(31, Buffer.from(macOf(n))),
    attribute(80, Buffer.alloc(16)),
  ]);
  const head = Buffer.alloc(4);
  head.writeUInt8(1, 0);
  head.writeUInt8(n & 255, 1);
  head.writeUInt16BE(20 + attributes.length, 2);
  const packet = Buffer.concat([head, authenticator, attributes]);
  createHmac('md5', SECRET)
    .update(packet)
    .digest()
    .copy(packet, packet.length - 16);
  return packet;
}

function attribute(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, value.length + 2]), value]);
}

function hidden(password: string, authenticator: Buffer): Buffer {
  const padded = Buffer.alloc(16);
  padded.write(password);
  const mask = createHash('md5').update(SECRET).update(authenticator).digest();
  return Buffer.from(padded.map((byte, index) => byte ^ (mask[index] as number)));
}
