/** Stored rows with ids: the plain configuration menus of the router. */
import type { Menu } from './menu.ts';
import { missingParameter, noSuchItem, Trap, unknownParameter } from './trap.ts';
import type { Writer } from './values.ts';

/** What the router stores of one row, `.id` included, as it would print it. */
export type Row = Record<string, string>;

export interface Property {
  /** Absent: the property can be read only. */
  write?: Writer;
  /** Value of a new row that names none; absent: the row has none. */
  initial?: string;
  required?: boolean;
  /** Shown only with the policy `sensitive`. */
  secret?: boolean;
  /** Never shown. */
  hidden?: boolean;
  /** Computed when read instead of stored. */
  read?: (row: Row) => string | undefined;
}

export interface TableOptions {
  properties: Record<string, Property>;
  /** Rows that give the same key cannot exist side by side. */
  key?: { of: (row: Row) => string; taken: string };
  /** Rows come with the router and can only be changed. */
  fixed?: boolean;
  /** The menu is one record without an id. */
  single?: boolean;
  /** Accepted by `add` but not a property of the row. */
  addOnly?: readonly string[];
  changed?: (row: Row, before: Row) => void;
}

/** The key of a menu whose rows have names. */
export const byName = {
  of: (row: Row) => row['name'] ?? '',
  taken: 'failure: item with such name already exists',
};

export class Table implements Menu<Row> {
  readonly properties: readonly string[];
  readonly secrets: ReadonlySet<string>;
  readonly hidden: readonly string[];
  readonly single: boolean;
  readonly #definitions: ReadonlyMap<string, Property>;
  readonly #options: TableOptions;
  readonly #rows = new Map<string, Row>();
  readonly #byKey = new Map<string, Row>();
  /** Ids are never given twice. */
  #lastId = 0;

  constructor(options: TableOptions) {
    const definitions = Object.entries(options.properties);
    const shown = definitions.filter(([, property]) => property.hidden !== true).map(([name]) => name);
    this.#options = options;
    this.#definitions = new Map(definitions);
    this.properties = options.single === true ? shown : ['.id', ...shown];
    this.hidden = definitions.filter(([, property]) => property.hidden).map(([name]) => name);
    this.secrets = new Set(definitions.filter(([, property]) => property.secret).map(([name]) => name));
    this.single = options.single ?? false;
  }

  items(): Iterable<Row> {
    return this.#rows.values();
  }

  read(row: Row, property: string): string | undefined {
    const compute = this.#definitions.get(property)?.read;
    return compute === undefined ? row[property] : compute(row);
  }

  find(reference: string): Row | undefined {
    const byId = this.#rows.get(reference);
    if (byId !== undefined) return byId;
    return this.#definitions.has('name') ? this.#named(reference) : undefined;
  }

  /** The row with that unique key, found without a walk through all of them. */
  byKey(key: string): Row | undefined {
    return this.#byKey.get(key);
  }

  add(values: ReadonlyMap<string, string>): string {
    if (this.#options.fixed || this.single) throw new Trap('no such command', 0);
    const row: Row = { '.id': `*${(this.#lastId + 1).toString(16).toUpperCase()}` };
    for (const [name, property] of this.#definitions) {
      if (property.initial !== undefined) row[name] = property.initial;
    }
    const { 'copy-from': original, ...own } = Object.fromEntries(values);
    if (original !== undefined) this.#copy(row, original);
    this.#write(row, new Map(Object.entries(own)), this.#options.addOnly);
    for (const [name, property] of this.#definitions) {
      if (property.required && row[name] === undefined) throw missingParameter(name);
    }
    this.#claimKey(row);
    this.#lastId += 1;
    const id = this.#store(row);
    const next = values.get('place-before');
    if (next !== undefined) this.#moveBefore(id, next);
    return id;
  }

  /** Puts a row in as it stands, past every check: what the router came with. */
  install(row: Row): Row {
    if (this.single) {
      this.#rows.set('', row);
      return row;
    }
    this.#lastId = Math.max(this.#lastId, Number.parseInt(row['.id']?.slice(1) ?? '0', 16));
    this.#claimKey(row);
    this.#store(row);
    return row;
  }

  set(row: Row, values: ReadonlyMap<string, string>): void {
    const before = { ...row };
    const after = { ...row };
    this.#write(after, values);
    this.#claimKey(after, row);
    Object.assign(row, after);
    this.#options.changed?.(row, before);
  }

  unset(row: Row, property: string): void {
    const definition = this.#definitions.get(property);
    if (definition?.write === undefined) throw unknownParameter(property);
    const before = { ...row };
    delete row[property];
    if (definition.initial !== undefined) row[property] = definition.initial;
    this.#options.changed?.(row, before);
  }

  remove(row: Row): void {
    if (this.#options.fixed) throw new Trap('no such command', 0);
    if (row['default'] === 'true') throw new Trap('failure: can not remove default item');
    if (!this.#rows.delete(row['.id'] ?? '')) throw noSuchItem();
    if (this.#options.key !== undefined) this.#byKey.delete(this.#options.key.of(row));
  }

  /** Everything that can be written, as it stands in another row. */
  #copy(row: Row, reference: string): void {
    const original = this.find(reference);
    if (original === undefined) throw noSuchItem();
    for (const [name, { write }] of this.#definitions) {
      const value = original[name];
      if (write !== undefined && value !== undefined) row[name] = value;
    }
  }

  #named(name: string): Row | undefined {
    const row = this.#byKey.get(name);
    if (row?.['name'] === name) return row;
    for (const candidate of this.#rows.values()) if (candidate['name'] === name) return candidate;
    return undefined;
  }

  #write(row: Row, values: ReadonlyMap<string, string>, besides: readonly string[] = []): void {
    for (const [name, value] of values) {
      if (besides.includes(name)) continue;
      const write = this.#definitions.get(name)?.write;
      if (write === undefined) throw unknownParameter(name);
      row[name] = write(value, name);
    }
  }

  #claimKey(row: Row, holder?: Row): void {
    const key = this.#options.key;
    if (key === undefined) return;
    const taken = this.#byKey.get(key.of(row));
    if (taken !== undefined && taken !== holder) throw new Trap(key.taken);
    if (holder !== undefined) this.#byKey.delete(key.of(holder));
    this.#byKey.set(key.of(row), holder ?? row);
  }

  #moveBefore(id: string, next: string): void {
    const [row, at] = [this.#rows.get(id), this.find(next)];
    if (row === undefined || at === undefined) throw noSuchItem();
    this.#rows.delete(id);
    const order = [...this.#rows.entries()];
    this.#rows.clear();
    for (const [key, value] of order) {
      if (value === at) this.#rows.set(id, row);
      this.#rows.set(key, value);
    }
  }

  #store(row: Row): string {
    const id = row['.id'] ?? '';
    this.#rows.set(id, row);
    return id;
  }
}
