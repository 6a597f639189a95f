import { mentionsIn, subscriptsDown } from './named-things.ts'

/** “CO₂” becomes “carbon dioxide” where the key says so, and the other way round; other words stay. */
export function rewordInKeyTerms(answer: string, keys: readonly string[]): string {
  const wanted = new Map<string, string>()
  for (const key of keys) {
    const plain = subscriptsDown(key)
    for (const { thing, from, to } of mentionsIn(plain, false))
      if (!wanted.has(thing.id)) wanted.set(thing.id, plain.slice(from, to))
  }
  if (wanted.size === 0) return answer
  const plain = subscriptsDown(answer)
  return mentionsIn(plain, false)
    .toReversed()
    .reduce((text, { thing, from, to }) => {
      const term = wanted.get(thing.id)
      return term === undefined ? text : `${text.slice(0, from)}${term}${text.slice(to)}`
    }, plain)
}
