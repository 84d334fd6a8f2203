/** What stands in a table, said once: reading, adding and changing records are made of it. */
import type { Edit } from '../domain/edits.ts';
import type { Money } from '../domain/money.ts';
import type { Database, Statement } from './database.ts';

/** A value that takes several columns, or stands in another form in one. */
interface Form<Value> {
  readonly columns: readonly string[];
  /** @param at where the first of them is, which is not NULL */
  read(cells: readonly unknown[], at: number): Value;
  write(value: Value): readonly unknown[];
}

/**
 * Where each field of a record stands: a column by its name, or a form. What is no name of the table's own, as
 * `payments.currency` of one that is joined or `(SELECT …)`, is read and never written.
 */
export type Columns<Row> = { readonly [Field in keyof Row]-?: Column<Row[Field]> };
type Column<Value> = [NonNullable<Value>] extends [string | number] ? string : Form<NonNullable<Value>>;

export const flag = (column: string): Form<boolean> => ({
  columns: [column],
  read: (cells, at) => cells[at] === 1,
  write: value => [Number(value)],
});

export const json = <Value>(column: string): Form<Value> => ({
  columns: [column],
  read: (cells, at) => JSON.parse(cells[at] as string) as Value,
  write: value => [JSON.stringify(value)],
});

export const money = (minor: string, currency: string): Form<Money> => ({
  columns: [minor, currency],
  read: (cells, at) => ({ minor: cells[at] as number, currency: cells[at + 1] as string }),
  write: value => [value.minor, value.currency],
});

const plain = (column: string): Form<unknown> => ({
  columns: [column],
  read: (cells, at) => cells[at],
  write: value => [value],
});

interface Table<Row, Hidden> {
  /** @param rest what follows `SELECT … FROM` the table */
  select<Params extends unknown[]>(rest: string): Query<Params, Row>;
  /** Fields that are left out get the table's defaults. @returns the id */
  insert(values: Edit<Row & Hidden>, onConflict?: string): number;
  /** Inserts, and reads what stands there now. */
  add(values: Edit<Row & Hidden>): Row;
  /**
   * Writes what is given, and leaves the rest.
   * @param where what must be true of the row besides
   * @returns false when it is not, or there is no such row
   */
  update(id: number, values: Edit<Row & Hidden>, where?: string): boolean;
}

interface Query<Params extends unknown[], Row> {
  get(...params: Params): Row | null;
  all(...params: Params): Row[];
}

interface TableOptions<Hidden> {
  /** Tables that are read with it, as SQL. */
  joined?: string;
  /** What is written with a record and is no part of it. */
  hidden?: Columns<Hidden>;
}

export function table<Row, Hidden = unknown>(
  db: Database,
  name: string,
  columns: Columns<Row>,
  { joined = '', hidden }: TableOptions<Hidden> = {},
): Table<Row, Hidden> {
  const read = formsOf(columns);
  const written = new Map([...read, ...formsOf(hidden ?? {})]);
  const list: string[] = [];
  const places = [...read].map(([field, form]) => {
    const at = list.length;
    list.push(...form.columns.map(column => (isOwn(column) ? `${name}.${column}` : column)));
    return { field, form, at };
  });
  const prepared = new Map<string, Statement>();

  // To copy an object with all its fields is twice as fast as adding them one by one.
  const blank: Record<string, unknown> = Object.fromEntries(places.map(({ field }) => [field, null]));

  function rowOf(cells: readonly unknown[]): Row {
    const row = { ...blank };
    for (const { field, form, at } of places) if (cells[at] !== null) row[field] = form.read(cells, at);
    return row as Row;
  }

  function select<Params extends unknown[]>(rest: string): Query<Params, Row> {
    const statement = db.prepare<Params, unknown[]>(`SELECT ${list.join(', ')} FROM ${name} ${joined} ${rest}`).raw();
    return {
      get(...params) {
        const cells = statement.get(...params);
        return cells === undefined ? null : rowOf(cells);
      },
      all: (...params) => statement.all(...params).map(rowOf),
    };
  }

  /** Without the id, which is SQLite's to give. */
  function cellsOf(values: object): Record<string, unknown> {
    const cells: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(values)) {
      if (value === undefined || field === 'id') continue;
      const form = written.get(field);
      if (form === undefined) throw new Error(`${name} has no column for ${field}.`);
      const own = value === null ? [] : form.write(value);
      for (const [index, column] of form.columns.entries()) if (isOwn(column)) cells[column] = own[index] ?? null;
    }
    return cells;
  }

  /** Prepared once for each set of fields that is written. */
  function run(sql: string, params: object) {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement.run(params);
  }

  const byId = select<[number]>(`WHERE ${name}.id = ?`);

  function insert(values: object, onConflict = ''): number {
    const cells = cellsOf(values);
    const names = Object.keys(cells);
    const given = names.map(column => `@${column}`);
    const sql = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${given.join(', ')}) ${onConflict}`;
    return Number(run(sql, cells).lastInsertRowid);
  }

  return {
    select,
    insert,
    add: values => byId.get(insert(values)) as Row,
    update(id, values, where = 'TRUE') {
      const cells = cellsOf(values);
      const set = Object.keys(cells).map(column => `${column} = @${column}`);
      return run(`UPDATE ${name} SET ${set.join(', ')} WHERE id = @id AND ${where}`, { ...cells, id }).changes === 1;
    },
  };
}

function formsOf(columns: object): Map<string, Form<unknown>> {
  const entries = Object.entries(columns) as [string, string | Form<unknown>][];
  return new Map(entries.map(([field, column]) => [field, typeof column === 'string' ? plain(column) : column]));
}

/** A name of the table's own, not an expression. */
const isOwn = (column: string): boolean => /^\w+$/.test(column);
