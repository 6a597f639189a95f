import { UNSPACED_SCRIPT } from '../../../grader/anonymizer/name-tokens.ts'
import type { RosterStudent } from './matching-roster.ts'
import { closeness, nameKeysOf, splitWords } from './name-keys.ts'

/** `from` and `to` are words. */
export interface NameOccurrence {
  student: RosterStudent
  closeness: number
  from: number
  to: number
}

export interface NameIndex {
  /** Only the closest names at each place: `anna-meier-schulz` does not name Anna Meier. */
  find(text: string): NameOccurrence[]
}

const MAX_NAME_WORDS = 7
/** A shorter name must be written with a gap between its words: `liwu` occurs within other words. */
const LEAST_JOINED = 6
/** What may stand beside an initial and a surname. */
const ORDINARY = /^(?:\p{N}+|[a-z]|scans?|exam|quiz|test|paper|midterm|final|homework|hw|assignment|submission|copy)$/u

/** Words may be separated by gaps, dots, dashes or capitals. Created once for many texts. */
export function createNameIndex(students: RosterStudent[]): NameIndex {
  const names = students.flatMap((student) => nameKeysOf(student.full_name ?? '').map((key) => ({ student, ...key })))
  const byKey = Map.groupBy(names, ({ key }) => key)

  return {
    find(text) {
      const words = splitText(text)
      const found: NameOccurrence[] = []
      for (const from of words.keys()) {
        let key = ''
        for (let to = from + 1; to <= words.length && to - from <= MAX_NAME_WORDS; to++) {
          key += words[to - 1]
          if (to - from === 1 && key.length < LEAST_JOINED && !UNSPACED_SCRIPT.test(key)) continue
          for (const { student, closeness: how } of byKey.get(key) ?? []) {
            const besides = [...words.slice(0, from), ...words.slice(to)]
            if (how > closeness.initial || besides.every((word) => ORDINARY.test(word)))
              found.push({ student, closeness: how, from, to })
          }
        }
      }
      return found.filter((one) => !found.some((other) => isBetter(other, one)))
    },
  }
}

/** `QuizAdaKing2` is quiz, ada, king and 2. */
const splitText = (text: string) =>
  splitWords(
    text
      .normalize('NFC')
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .replace(/(?<=\p{L}\p{M}*)(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' '),
  )

/** At the same place by more words, or closer by as many. */
function isBetter(a: NameOccurrence, b: NameOccurrence): boolean {
  if (a.from >= b.to || b.from >= a.to) return false
  const [more, less] = [a.to - a.from, b.to - b.from]
  return more > less || (more === less && a.closeness > b.closeness)
}
