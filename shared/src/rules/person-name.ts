export interface NamedPerson {
  full_name: string | null
  username: string
}

export const nameOf = ({ full_name, username }: NamedPerson): string => full_name?.trim() || username

/** Whatever the case or accents, and “Group 2” before “Group 10”. */
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** A total order while usernames are. */
export const compareNames = (a: NamedPerson, b: NamedPerson): number =>
  collator.compare(splitName(nameOf(a)).surname, splitName(nameOf(b)).surname) ||
  collator.compare(nameOf(a), nameOf(b)) ||
  collator.compare(a.username, b.username) ||
  (a.username < b.username ? -1 : Number(a.username > b.username))

/** The last word, and what begins small before it: `Lotte van Dam` is a van Dam. */
export function splitName(full_name: string): { forename: string; surname: string } {
  const words = full_name.trim().split(/\s+/)
  const small = words.findIndex((word, i) => i > 0 && /^\p{Ll}/u.test(word))
  const at = small > 0 ? small : words.length - 1
  return { forename: words.slice(0, at).join(' '), surname: words.slice(at).join(' ') }
}
