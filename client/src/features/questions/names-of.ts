/** `Ada Byron`, `Ada Byron and Ben Okri`, `Ada Byron, Ben Okri and Cleo Sand`. */
export function namesOf(people: readonly { name: string }[]): string {
  const names = people.map(({ name }) => name)
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}
