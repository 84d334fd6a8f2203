/**
 * Converts between the names of the interface (`max_devices`) and of the domain (`maxDevices`). Handlers and views spell
 * out whatever differs in more than the name.
 */
import type * as v from 'valibot';

type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export type CamelCased<Fields> = { [Name in keyof Fields as Camel<Name> & string]: Fields[Name] };

/** The fields of a request under the domain's names. */
export const camelCased = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value])) as CamelCased<Fields>;

type View<Record, Entries> = {
  [Name in keyof Entries as Camel<Name> extends keyof Record ? Name : never]: Record[Camel<Name> & keyof Record];
};

/** Copies from a record the fields that a reply declares under the same name, and nothing else. */
export function viewOf<const Entries extends v.ObjectEntries>({ entries }: v.ObjectSchema<Entries, undefined>) {
  const names = Object.keys(entries).map(name => [name, camel(name)] as const);
  return <Record extends object>(record: Record): View<Record, Entries> => {
    const view: { [name: string]: unknown } = {};
    for (const [name, own] of names) {
      if (own in record) view[name] = record[own as keyof Record];
    }
    return view as View<Record, Entries>;
  };
}
