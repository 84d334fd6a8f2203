/** A menu of the router (`/ip/hotspot/user`): its rows, and what may be done to them. */

export interface Menu<Item = unknown> {
  /** What `print` shows, in order, `.id` first where rows have one. */
  readonly properties: readonly string[];
  /** Shown only to accounts with the policy `sensitive`. */
  readonly secrets: ReadonlySet<string>;
  /** Can be written, and is never shown. */
  readonly hidden?: readonly string[];
  items(): Iterable<Item>;
  read(item: Item, property: string): string | undefined;
  /** By `.id`, or by name where rows have names, as the router takes either. */
  find(reference: string): Item | undefined;
  /** @returns the new row's `.id` @throws Trap */
  add?(values: ReadonlyMap<string, string>): string;
  /** @throws Trap */
  set?(item: Item, values: ReadonlyMap<string, string>): void;
  unset?(item: Item, property: string): void;
  /** @throws Trap */
  remove?(item: Item): void;
  /** True for menus that are one record, which `set` changes without naming it. */
  readonly single?: boolean;
  /** Commands that only this menu has, such as `active/login`. @throws Trap */
  readonly extras?: ReadonlyMap<string, (attributes: ReadonlyMap<string, string>) => void>;
}

export type Readers<Item> = Record<string, (item: Item) => string | undefined>;

/** A menu over things that live elsewhere: its properties are computed when they are read. */
export function viewMenu<Item>(
  readers: Readers<Item>,
  behaviour: Pick<Menu<Item>, 'items' | 'find'> & Partial<Pick<Menu<Item>, 'remove' | 'single' | 'extras' | 'set'>>,
): Menu<Item> {
  const byName = new Map(Object.entries(readers));
  return {
    properties: [...byName.keys()],
    secrets: new Set(),
    read: (item, property) => byName.get(property)?.(item),
    ...behaviour,
  };
}

/** Every property that a row has, as `print` would show it. */
export function describe<Item>(menu: Menu<Item>, item: Item): Record<string, string> {
  const row: Record<string, string> = {};
  for (const property of menu.properties) {
    const value = menu.read(item, property);
    if (value !== undefined) row[property] = value;
  }
  return row;
}
