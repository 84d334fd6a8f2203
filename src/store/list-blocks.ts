/** Finding a far page of a long list without walking there. The counts are kept by triggers (migration 002). */
import type { Database } from './database.ts';

const BLOCK = 512;

export interface ListPlace {
  /** The page begins among the rows with lower ids than this … */
  below: number;
  /** … after so many of them. */
  skip: number;
}

export interface ListBlocks {
  /** Where, counted from the newest row, a page begins; null: the list ends before. */
  seek(list: string, offset: number): ListPlace | null;
  total(list: string): number;
}

export function listBlocks(db: Database): ListBlocks {
  const blocks = db.prepare<[string], { block: number; rows: number }>(
    'SELECT block, rows FROM list_blocks WHERE list = ? AND rows > 0 ORDER BY block DESC',
  );
  const total = db.prepare<[string], number>('SELECT coalesce(sum(rows), 0) FROM list_blocks WHERE list = ?').pluck();
  return {
    seek(list, offset) {
      let skip = offset;
      for (const { block, rows } of blocks.iterate(list)) {
        if (skip < rows) return { below: (block + 1) * BLOCK, skip };
        skip -= rows;
      }
      return null;
    },
    total: list => total.get(list) as number,
  };
}

/** For GLOB: canonical numbers that hold these digits. A deleted person's column holds no number, so never fits. */
export const phonePattern = (digits: string): string => `+*${digits}*`;
