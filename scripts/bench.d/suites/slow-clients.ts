/** 5,000 connections that send half of something, or read nothing; everybody else is served as before. */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { makeBooks } from '../books.ts';
import { type Figure, figure, ratios } from '../figures.ts';
import { load } from '../load.ts';
import { logins } from '../requests.ts';
import { startLango } from '../server.ts';

const ROUNDS = 3;
const SECONDS = 5;
const STUCK = 5_000;
const RATE = 1_000;
/** As many as hold all of the stuck ones, each within its bound; the load's own address is none of them. */
const ADDRESSES = 100;
/** A connection that was cut is opened again after this. */
const COME_BACK_MS = 10_000;
/** All of them connect in one moment, which is one and a half seconds of work. What is measured is that they stay. */
const ARRIVAL_MS = 3_000;

const HALVES = [
  'GET / HTTP/1.1\r\nHost: x\r\nX-Slow',
  'POST /api/router/auth/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nusername=2557',
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(8),
];

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: 200_000, active: 2_000 });
  const { port, memory, stop } = await startLango(books.dataDir);
  const request = logins(200_000, 2_000);
  const ask = () => load({ port, request, rate: RATE, seconds: SECONDS, accepts: [200, 403] });
  try {
    await ask();
    const before = memory();
    const alone: number[] = [];
    const beside: number[] = [];
    let highest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push((await ask()).p99);
      const stuck = keepStuck(port);
      await setTimeout(ARRIVAL_MS);
      beside.push((await ask()).p99);
      highest = Math.max(highest, memory());
      stuck.end();
      await setTimeout(1_500);
    }
    return [
      figure(`router auth at ${RATE}/s beside 5,000 stuck connections: p99, × without`, ratios(beside, alone), {
        most: 2,
      }),
      figure('the same: p99', beside, undefined, ' ms'),
      figure('memory beside 5,000 stuck connections', [highest], { most: before + 150 }, ' MiB'),
    ];
  } finally {
    await stop();
    books.remove();
  }
}

/** As many as are asked for, all the time: whoever is cut comes back. */
function keepStuck(port: number): { end(): void } {
  const sockets = new Set<Socket>();
  let ended = false;
  let opened = 0;
  const open = () => {
    const half = HALVES[opened % HALVES.length] as string;
    opened += 1;
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.${1 + (opened % ADDRESSES)}.1` });
    sockets.add(socket);
    socket.on('connect', () => {
      socket.write(half);
      socket.pause();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (!ended) globalThis.setTimeout(open, COME_BACK_MS);
    });
  };
  for (let n = 0; n < STUCK; n += 1) open();
  return {
    end() {
      ended = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
