import { foldName, UNSPACED_SCRIPT } from '../../../grader/anonymizer/name-tokens.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { findEnrollments } from '../../courses/enrollment-queries.ts'
import { usersById } from '../../users/user.service.ts'

export interface NameOccurrence {
  student: RosterStudent
  closeness: number
  from: number
  to: number
}

const MAX_NAME_WORDS = 7
/** `liwu` occurs within other words, so a shorter name needs a gap. */
const LEAST_JOINED = 6
/** What may stand beside an initial and a surname. */
const ORDINARY = /^(?:\p{N}+|[a-z]|scans?|exam|quiz|test|paper|midterm|final|homework|hw|assignment|submission|copy)$/u

export function createNameIndex(students: RosterStudent[]) {
  const names = students.flatMap((student) => nameKeysOf(student.full_name ?? '').map((key) => ({ student, ...key })))
  const byKey = Map.groupBy(names, ({ key }) => key)

  return {
    /** Only the closest names at each place: `anna-meier-schulz` does not name Anna Meier. */
    find(text: string): NameOccurrence[] {
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

function isBetter(a: NameOccurrence, b: NameOccurrence): boolean {
  if (a.from >= b.to || b.from >= a.to) return false
  const [more, less] = [a.to - a.from, b.to - b.from]
  return more > less || (more === less && a.closeness > b.closeness)
}

const closeness = { initial: 1, pair: 2, ends: 3, whole: 4 } as const

/** `O’Malley` is two words, `Núñez` is `nunez`. */
export const splitWords = (text: string): string[] =>
  foldName(text.normalize('NFC'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** More would be mostly nonsense. */
const MAX_SPELLINGS = 30

/** `Zoë` is written Zoe, and by programs that lose unknown letters Zo or Zo-; `Müller` also Mueller. */
function spellingsOf(word: string): string[] {
  let spellings = ['']
  for (const letter of word.normalize('NFC').toLowerCase()) {
    const base = foldName(letter)
    const ways = base === letter ? [letter] : [base, '', ...(/[äöüø]/.test(letter) ? [`${base}e`] : [])]
    spellings = spellings.flatMap((begun) => ways.map((way) => begun + way)).slice(0, MAX_SPELLINGS)
  }
  return spellings
}

/** A shorter one is as good as an initial. */
const LEAST_PREFIX = 3

function wordOrdersOf(words: string[]): { words: string[]; closeness: number }[] {
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  const orders = [words, [last, ...words.slice(0, -1)], [...words.slice(1), first]].map((order) => ({
    words: order,
    closeness: closeness.whole as number,
  }))
  const both = (a: string, b: string, how: number) => {
    orders.push({ words: [a, b], closeness: how }, { words: [b, a], closeness: how })
  }
  if (words.length > 2) {
    both(first, last, closeness.ends)
    for (const [i, word] of words.slice(1).entries()) both(words[i] ?? '', word, closeness.pair)
  }
  // Its only letter is the whole name again.
  if (first.length > 1) both(first.charAt(0), last, closeness.initial)
  if (first.length > 1 && words.length > 2) both(first.charAt(0), words.slice(1).join(''), closeness.initial)
  for (let end = LEAST_PREFIX; end < first.length; end++) both(first.slice(0, end), last, closeness.initial)
  return orders
}

/** One word is at best a first name, except in scripts without spaces. */
function nameKeysOf(fullName: string): { key: string; closeness: number }[] {
  const words = fullName
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  if (words.length < 2)
    return UNSPACED_SCRIPT.test(fullName) ? [{ key: foldName(fullName), closeness: closeness.whole }] : []
  const keys = new Map<string, number>()
  for (const order of wordOrdersOf(words)) {
    let spelt = ['']
    for (const word of order.words)
      spelt = spelt.flatMap((begun) => spellingsOf(word).map((one) => begun + one)).slice(0, MAX_SPELLINGS)
    for (const key of spelt) keys.set(key, Math.max(keys.get(key) ?? 0, order.closeness))
  }
  return [...keys].map(([key, how]) => ({ key, closeness: how }))
}

export interface RosterStudent extends Pick<UserDoc, '_id' | 'username' | 'full_name' | 'email'> {
  /** By a link, an instructor's invitation, or the course's LMS. */
  email_verified: boolean
  /** Students who joined by a code chose their own name and number. */
  added_by_staff: boolean
  numbers: string[]
}

export async function loadMatchingRoster(courseId: number | null): Promise<RosterStudent[]> {
  if (courseId === null) return []
  const enrollments = await findEnrollments(courseId)
  const users = await usersById(enrollments.map(({ user_id }) => user_id))
  return enrollments.flatMap(({ user_id, added_by, external_user_id, sis_user_id }) => {
    const user = users.get(user_id)
    if (!user) return []
    const { _id, username, full_name, email } = user
    return {
      _id,
      username,
      full_name,
      email,
      email_verified:
        user.email_verified_at != null || user.account === 'invited' || (user.from_lms === true && added_by === 'lms'),
      added_by_staff: added_by !== 'code',
      numbers: [...new Set([user.student_number, external_user_id, sis_user_id])].filter((one) => one != null),
    }
  })
}

/** Nobody outside the course, whose name it would show. @param loc where the request names the student */
export async function requireRosterStudent(
  courseId: number | null,
  studentId: number,
  loc = ['body', 'student_id'],
): Promise<RosterStudent> {
  const refused = (msg: string) =>
    new AppError('validation_failed', undefined, { details: [{ loc, msg, type: 'not_enrolled' }] })
  if (courseId === null) throw refused('This assignment has no course, so there are no students to choose from.')
  const student = (await loadMatchingRoster(courseId)).find(({ _id }) => _id === studentId)
  if (!student) throw refused('This student is not enrolled in the course.')
  return student
}
