/** The settings that a driver names in its description: a valibot schema, each entry with the provider's own word. */
import * as v from 'valibot';

export type SettingsSchema = v.GenericSchema<unknown, object> & { readonly entries: v.ObjectEntries };

/** What a driver cannot work without. @param label such as "the secret key" */
export const needed = (label: string) => v.pipe(v.string(), v.title(label));

/** What a driver does without: null. */
export const optional = (label: string) => v.pipe(v.nullable(v.string()), v.title(label));

/** Where a driver's provider is reached when the configuration names no address. */
export const addressOr = (standard: string) => v.nullable(v.string(), standard);

/** One sentence a setting that is missing or wrong; a secret is never repeated. @param variables by setting */
export function settingsProblems(
  { name, settings }: { name: string; settings: SettingsSchema },
  values: object,
  variables: Readonly<Record<string, string>>,
): string[] {
  return (v.safeParse(settings, values).issues ?? []).map(issue => {
    const setting = v.getDotPath(issue);
    const schema = setting === null ? undefined : settings.entries[setting];
    if (setting === null || schema === undefined) return issue.message;
    if (issue.input !== null) return `${variables[setting]} ${issue.message}`;
    return `${variables[setting]} is missing: ${name} needs ${v.getTitle(schema)} there.`;
  });
}

/** The drivers of a list by the names that the configuration knows them by. */
export function byName<Driver extends { name: string }>(drivers: readonly Driver[]): Record<Driver['name'], Driver> {
  return Object.fromEntries(drivers.map(driver => [driver.name, driver])) as Record<Driver['name'], Driver>;
}
