import { editDistance } from '../text/fuzzy-match.ts'

const LOOK_ALIKE_GROUPS = ['ceoa0', 'ilj1|!t', 'nhuv', 's5', 'b6', 'gqy9', 'z2']
const firstOf = new Map(LOOK_ALIKE_GROUPS.flatMap((group) => [...group].map((letter) => [letter, group.charAt(0)])))

/** Words that become equal may be the same one misread. */
export const foldOcrLookAlikes = (folded: string): string =>
  [...folded.replace(/rn/g, 'm').replace(/cl/g, 'd').replace(/vv/g, 'w')]
    .map((letter) => firstOf.get(letter) ?? letter)
    .join('')

/** A shorter name with another letter is another word. */
const LEAST_CHANGED = 5

/** Confused letters or, from five letters on, one wrong, missing or extra. */
export function createMisreadNameFinder(names: Iterable<string>): (word: string) => readonly string[] {
  const byShape = new Map<string, string[]>()
  const put = (shape: string, name: string) => {
    const known = byShape.get(shape)
    if (known) known.push(name)
    else byShape.set(shape, [name])
  }
  for (const name of names) {
    put(`=${foldOcrLookAlikes(name)}`, name)
    if (name.length >= LEAST_CHANGED) for (const shape of deletionVariantsOf(name)) put(shape, name)
  }
  return (word) => {
    const alike = byShape.get(`=${foldOcrLookAlikes(word)}`) ?? []
    // Words one edit apart share a form that lost at most one letter.
    const changed = deletionVariantsOf(word).flatMap((shape) => byShape.get(shape) ?? [])
    return [...new Set([...alike, ...changed.filter((name) => editDistance(word, name) <= 1)])]
  }
}

const deletionVariantsOf = (word: string) => [word, ...[...word].map((_, i) => word.slice(0, i) + word.slice(i + 1))]
