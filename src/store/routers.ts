import type { KeptRouter, RouterWrites } from '../domain/routers.ts';
import type { Database } from './database.ts';
import { changes } from './statements.ts';
import { type Columns, json, table } from './table.ts';

const ROUTER: Columns<KeptRouter> = { id: 'id', name: 'name', settings: json('settings') };

export function routerRepository(db: Database): RouterWrites {
  const routers = table(db, 'routers', ROUTER);
  return {
    list: routers.select<[]>('ORDER BY id').all,
    add: routers.add,
    update: routers.update,
    remove: changes(db, 'DELETE FROM routers WHERE id = ?'),
  };
}
