/** `1 order`, `1,200 orders`. @param more the plural, where it is not the noun with an `s` */
export const many = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
