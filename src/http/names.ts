/**
 * Between the interface's names and the domain's: `max_devices` there is `maxDevices` here. What is a matter of names
 * alone crosses by itself; handlers and views spell out what is more.
 */
import type * as v from 'valibot';

type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export type CamelCased<Fields> = { [Name in keyof Fields as Camel<Name> & string]: Fields[Name] };

/** The fields of a request under the domain's names. */
export const camelCased = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value])) as CamelCased<Fields>;

type Told<Record, Entries> = {
  [Name in keyof Entries as Camel<Name> extends keyof Record ? Name : never]: Record[Camel<Name> & keyof Record];
};

/** Tells of a record what a reply declares, as far as both mean the same by a name: nothing else gets out. */
export function tellerOf<const Entries extends v.ObjectEntries>({ entries }: v.ObjectSchema<Entries, undefined>) {
  const names = Object.keys(entries).map(name => [name, camel(name)] as const);
  return <Record extends object>(record: Record): Told<Record, Entries> => {
    const told: { [name: string]: unknown } = {};
    for (const [name, own] of names) {
      if (own in record) told[name] = record[own as keyof Record];
    }
    return told as Told<Record, Entries>;
  };
}
