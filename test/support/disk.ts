/** A process with a disk that misbehaves on command: see `disk.c`, which needs a C compiler. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BARE_ENVIRONMENT } from './environment.ts';

export type Mood = 'good' | 'full' | 'broken' | { slowMicroseconds: number };

export interface Disk {
  /** What the process is to be started with. */
  environment: { LD_PRELOAD: string; LANGO_TEST_DISK: string };
  /** From the next write or flush on. */
  is(mood: Mood): void;
  remove(): void;
}

export function createDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'lango-disk-'));
  const library = join(folder, 'disk.so');
  const moods = join(folder, 'mood');
  execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'disk.c'), '-ldl']);
  const is = (mood: Mood) => writeFileSync(moods, typeof mood === 'string' ? mood : `slow ${mood.slowMicroseconds}`);
  is('good');
  return {
    environment: {
      LD_PRELOAD: [library, BARE_ENVIRONMENT['LD_PRELOAD'] ?? ''].join(' ').trim(),
      LANGO_TEST_DISK: moods,
    },
    is,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
