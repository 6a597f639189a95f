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
  const all = [...names]
  const byLook = Map.groupBy(all, foldOcrLookAlikes)
  // Words one edit apart share a form that lost at most one letter.
  const byShape = Map.groupBy(
    all.flatMap((name) =>
      name.length < LEAST_CHANGED ? [] : deletionVariantsOf(name).map((shape) => ({ shape, name })),
    ),
    ({ shape }) => shape,
  )
  return (word) => {
    const alike = byLook.get(foldOcrLookAlikes(word)) ?? []
    const near = deletionVariantsOf(word).flatMap((shape) => (byShape.get(shape) ?? []).map(({ name }) => name))
    return [...new Set([...alike, ...near.filter((name) => editDistance(word, name) <= 1)])]
  }
}

const deletionVariantsOf = (word: string) => [word, ...[...word].map((_, i) => word.slice(0, i) + word.slice(i + 1))]
