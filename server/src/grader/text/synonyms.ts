import groups from './synonyms.json' with { type: 'json' }
import { stemOf } from './terms.ts'

/**
 * Everyday words that mostly replace each other in a pupil's sentence, from common English and no data set; words may
 * be in several groups. Subject terms (speed and velocity, force and power) are not merged.
 */
const neighbours = new Map<string, Set<string>>()
for (const group of groups) {
  const stems = group.split(' ').map(stemOf)
  for (const stem of stems) {
    const others = neighbours.get(stem) ?? new Set()
    for (const other of stems) if (other !== stem) others.add(other)
    neighbours.set(stem, others)
  }
}

const NONE: ReadonlySet<string> = new Set()

export const synonymsOf = (stem: string): ReadonlySet<string> => neighbours.get(stem) ?? NONE
