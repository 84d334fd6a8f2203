/** What node-routeros 1.6.9 does wrong, one test a fault. Where it ended the process, a process of its own is asked. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/domain/time.ts';
import { RouterTrap, trapOf } from '../../src/router/faults.ts';
import { RouterLink } from '../../src/router/link.ts';
import { afterLogin, type Behaviour, type Command, inMs, type Peer, sentence, startPeer } from './support/peer.ts';

const PRINT = ['/ip/hotspot/active/print'];

/** Runs `support/ask.ts` against a peer. @returns what it printed, once it has ended by itself */
async function ask(
  peer: Peer,
  ...steps: string[]
): Promise<{ lines: string[]; code: number | null; problems: string }> {
  const script = new URL('support/ask.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, String(peer.port), ...steps, 'close'], { timeout: 120_000 });
  let output = '';
  let problems = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    problems += text;
  });
  const [code] = await once(child, 'close');
  return { lines: output.trim().split('\n'), code, problems };
}

async function openLink(t: TestContext, behaviour: Behaviour): Promise<{ link: RouterLink; peer: Peer }> {
  const peer = await startPeer(t, afterLogin(behaviour));
  const link = new RouterLink(peer.settings, { clock: systemClock, silenceMs: () => 1_000 });
  t.after(() => link.close());
  await link.open(inMs(60_000));
  return { link, peer };
}

/** Replies to a print with one row and lets the test decide how its bytes travel. */
function row(tag: string, tagFirst: boolean): Buffer {
  const words = (reply: string, ...rest: string[]) =>
    tagFirst ? [reply, `.tag=${tag}`, ...rest] : [reply, ...rest, `.tag=${tag}`];
  return Buffer.concat([
    sentence(...words('!re', '=.id=*1', '=user=Åsa=1', `=comment=${'é'.repeat(70)}`)),
    sentence(...words('!re', '=.id=*2', '=user=')),
    sentence(...words('!done')),
  ]);
}

const ROWS = [
  { '.id': '*1', user: 'Åsa=1', comment: 'é'.repeat(70) },
  { '.id': '*2', user: '' },
];

test('a print that finds nothing, answered with !empty, is no rows and no exit', async t => {
  const peer = await startPeer(
    t,
    afterLogin(command => command.reply(['!empty'], ['!done'])),
  );
  assert.deepEqual(await ask(peer, 'sessions', 'sessions'), {
    lines: ['0 rows', '0 rows', 'alive'],
    code: 0,
    problems: '',
  });
});

test('replies with an unknown tag, without a tag or of an unknown kind are ignored', async t => {
  const peer = await startPeer(
    t,
    afterLogin(command => {
      const strays = [
        ['!done', '.tag=nobody'],
        ['!re', '=.id=*9', '.tag=nobody'],
        ['!trap', '=message=stray'],
        ['!news', `.tag=${command.tag}`],
      ];
      command.socket.write(Buffer.concat(strays.map(words => sentence(...words))));
      command.reply(['!re', '=.id=*1'], ['!done']);
    }),
  );
  assert.deepEqual(await ask(peer, 'sessions', 'sessions'), {
    lines: ['1 rows', '1 rows', 'alive'],
    code: 0,
    problems: '',
  });
});

test('a reply that comes after its call gave up is ignored, and the connection goes on', async t => {
  const late: (() => void)[] = [];
  const peer = await startPeer(
    t,
    afterLogin(command => {
      if (command.path === '/cancel') return;
      if (late.length > 0) {
        for (const answer of late.splice(0)) answer();
        command.reply(['!done']);
        return;
      }
      late.push(() => command.reply(['!re', '=.id=*1'], ['!done']));
      // Slow, not silent: something was heard.
      command.socket.write(sentence('!re', '=.id=*0', '.tag=other'));
    }),
  );
  const { lines, code, problems } = await ask(peer, 'sessions', 'sessions');
  assert.deepEqual(
    { lines, code, problems },
    { lines: ['ROUTER_UNAVAILABLE', '0 rows', 'alive'], code: 0, problems: '' },
  );
  assert.equal(peer.accepted, 1);
});

test('a /cancel that the router refuses ends neither the connection nor the process', async t => {
  const peer = await startPeer(
    t,
    afterLogin(command => {
      if (command.path === '/cancel') command.reply(['!trap', '=message=unknown tag'], ['!done']);
      else if (peer.commands.some(each => each.path === '/cancel')) command.reply(['!done']);
      else command.reply(['!re', '=.id=*1']);
    }),
  );
  const { lines, code, problems } = await ask(peer, 'sessions', 'sessions');
  assert.deepEqual(
    { lines, code, problems },
    { lines: ['ROUTER_UNAVAILABLE', '0 rows', 'alive'], code: 0, problems: '' },
  );
  const cancelled = peer.commands.find(command => command.path === '/cancel');
  const asked = peer.commands.find(command => command.path === '/ip/hotspot/active/print');
  assert.deepEqual(cancelled?.words, [`=tag=${asked?.tag}`]);
});

for (const [how, cut] of [
  ['resets', 'resetAndDestroy'],
  ['closes', 'end'],
] as const) {
  test(`a router that ${how} an idle connection ends nothing but the connection`, async t => {
    const peer = await startPeer(
      t,
      afterLogin(command => {
        command.reply(['!done']);
        setTimeout(() => command.socket[cut](), 50);
      }),
    );
    const { lines, code, problems } = await ask(peer, 'sessions', 'idle:2000', 'sessions');
    assert.deepEqual({ lines, code, problems }, { lines: ['0 rows', '0 rows', 'alive'], code: 0, problems: '' });
    assert.ok(peer.accepted >= 2);
  });
}

test('a connection idle for longer than the library would wait is still up', async t => {
  const peer = await startPeer(
    t,
    afterLogin(command => command.reply(['!done'])),
  );
  // The library is given an idle timeout of one second, because it insists on one.
  const { lines, code } = await ask(peer, 'sessions', 'idle:1500', 'sessions');
  assert.deepEqual({ lines, code }, { lines: ['0 rows', '0 rows', 'alive'], code: 0 });
  assert.equal(peer.accepted, 1);
});

test('bytes that are no RouterOS end the connection, not the process', async t => {
  const peer = await startPeer(
    t,
    afterLogin(command => command.socket.write(Buffer.alloc(64, 0xff))),
  );
  assert.deepEqual(await ask(peer, 'sessions'), { lines: ['ROUTER_UNAVAILABLE', 'alive'], code: 0, problems: '' });
});

test('a router that says nothing at all costs a call its deadline and no more', async t => {
  const peer = await startPeer(t, () => {});
  assert.deepEqual(await ask(peer, 'deadline:1000', 'sessions', 'sessions'), {
    lines: ['ROUTER_UNAVAILABLE', 'ROUTER_UNAVAILABLE', 'alive'],
    code: 0,
    problems: '',
  });
});

for (const tagFirst of [true, false]) {
  const where = tagFirst ? 'first' : 'last';

  test(`a reply with its tag ${where} is right however TCP cuts it in two`, async t => {
    let at = 0;
    const { link } = await openLink(t, command => {
      const bytes = row(command.tag, tagFirst);
      command.socket.write(bytes.subarray(0, at));
      setTimeout(() => command.socket.write(bytes.subarray(at)), 1);
    });
    const length = row('0123456789a', tagFirst).length;
    for (at = 1; at < length; at += 1)
      assert.deepEqual(await link.call(PRINT, each => ({ ...each }), inMs(60_000)), ROWS, `cut at ${at}`);
  });

  test(`a reply with its tag ${where} is right in single bytes`, async t => {
    const { link } = await openLink(t, async command => {
      for (const byte of row(command.tag, tagFirst)) {
        command.socket.write(Buffer.of(byte));
        await new Promise(resolve => setImmediate(resolve));
      }
    });
    assert.deepEqual(await link.call(PRINT, each => ({ ...each }), inMs(60_000)), ROWS);
  });
}

test('text is UTF-8 both ways', async t => {
  const { link, peer } = await openLink(t, command => command.reply(['!re', ...command.words], ['!done']));
  const text = '=comment=Zoë · Дом · 中文 · 🛜';
  assert.deepEqual(await link.call([...PRINT, text], each => each['comment'], inMs(60_000)), ['Zoë · Дом · 中文 · 🛜']);
  assert.deepEqual(peer.commands.at(-1)?.words, [text]);
});

test('a trap keeps its message and its category', async t => {
  const { link } = await openLink(t, command =>
    command.reply(['!trap', '=category=1', '=message=bad value'], ['!done']),
  );
  await assert.rejects(
    link.call(PRINT, each => each, inMs(60_000)),
    error => {
      const trap = trapOf(error);
      assert.ok(trap instanceof RouterTrap);
      assert.deepEqual([trap.message, trap.category], ['bad value', 1]);
      return true;
    },
  );
});

test('a trap without a category has none, and one without words still says something', async t => {
  const { link } = await openLink(t, command => command.reply(['!trap'], ['!done']));
  await assert.rejects(
    link.call(PRINT, each => each, inMs(60_000)),
    error => {
      assert.equal(trapOf(error)?.category, null);
      assert.match((error as Error).message, /refused/);
      return true;
    },
  );
});

test('two calls at once each get their own rows, though the replies are interleaved', async t => {
  const waiting: Command[] = [];
  const { link } = await openLink(t, command => {
    waiting.push(command);
    if (waiting.length < 2) return;
    for (const each of waiting) each.reply(['!re', `=path=${each.path}`]);
    for (const each of waiting.toReversed()) each.reply(['!done']);
  });
  const paths = ['/ip/hotspot/user/print', '/ip/hotspot/host/print'];
  const answers = await Promise.all(paths.map(path => link.call([path], each => each['path'], inMs(60_000))));
  assert.deepEqual(answers, [[paths[0]], [paths[1]]]);
});

test('the password is never printed, even where the library is told to print what it does', async t => {
  const peer = await startPeer(
    t,
    afterLogin(command => command.reply(['!done'])),
  );
  process.env['DEBUG'] = 'routeros-api:*';
  t.after(() => delete process.env['DEBUG']);
  const { lines, problems } = await ask(peer, 'sessions');
  assert.deepEqual(lines, ['0 rows', 'alive']);
  assert.match(problems, /routeros-api/);
  assert.doesNotMatch(problems, /secret/);
});

test('a reply of many rows leaves the event loop to others after every 200', async t => {
  const { link } = await openLink(t, command => {
    command.reply(
      ...Array.from({ length: 5_000 }, (_, index) => ['!re', `=.id=*${index}`, `=user=${'x'.repeat(400)}`]),
      ['!done'],
    );
  });
  let inThisTurn = 0;
  let most = 0;
  let watching = true;
  const turn = (): void => {
    most = Math.max(most, inThisTurn);
    inThisTurn = 0;
    if (watching) setImmediate(turn);
  };
  turn();
  const rows = await link.call(
    PRINT,
    each => {
      inThisTurn += 1;
      return each['.id'];
    },
    inMs(8_000),
  );
  watching = false;
  assert.equal(rows.length, 5_000);
  assert.ok(most > 0 && most <= 200, `${most} rows in one turn`);
});
