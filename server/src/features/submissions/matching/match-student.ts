import type { MatchReason } from '@assay/shared/match-reasons.ts'
import { createNameIndex, type RosterStudent, splitWords } from './name-index.ts'

export interface Candidate {
  student: RosterStudent
  reason: MatchReason
  certain: boolean
}

interface MatchResult {
  student: RosterStudent | null
  reason: MatchReason | null
  candidates: Candidate[]
}

const fileStem = (fileName: string) => fileName.replace(/\.pdf$/i, '').trim()

export const identifierFromFileName = (fileName: string) => fileStem(fileName) || fileName

/** Some systems write é as one character, others as two. */
const normaliseKey = (text: string) => text.normalize('NFC').toLowerCase()

const wordCharacter = /[\p{L}\p{N}]/u

function startsWord(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1)
  return before === undefined || !wordCharacter.test(before)
}

function endsWord(text: string, at: number): boolean {
  const after = text.codePointAt(at)
  return after === undefined || !wordCharacter.test(String.fromCodePoint(after))
}

interface MatchKey {
  candidate: Candidate
  key: string
}

interface KeyOccurrence extends MatchKey {
  start: number
  end: number
}

function findOccurrences(text: string, { key, candidate }: MatchKey): KeyOccurrence[] {
  const found: KeyOccurrence[] = []
  for (let start = text.indexOf(key); start >= 0; start = text.indexOf(key, start + 1)) {
    const end = start + key.length
    if (startsWord(text, start) && endsWord(text, end)) found.push({ candidate, key, start, end })
  }
  return found
}

const [DAY, MONTH, YEAR] = ['(?:0[1-9]|[12]\\d|3[01])', '(?:0[1-9]|1[0-2])', '(?:(?:19[89]|20[0-3])\\d|\\d\\d)']
const DATE = `${YEAR}${MONTH}${DAY}|${DAY}${MONTH}${YEAR}|${MONTH}${DAY}${YEAR}`
const DATE_OR_SHORT = new RegExp(`^(?:${DATE}|\\d{1,5})$`)
const AFTER_DATE = new RegExp(`(?:^|\\D)${YEAR}[-_.]?${MONTH}[-_.]?${DAY}[-_. t]*$`)

/** Perhaps a date, the time after one, a course or a counter; alone, three or more are a number. */
function isDoubtful(text: string, { key, start }: KeyOccurrence): boolean {
  if (!/^\d+$/.test(key)) return false
  return key === text ? key.length < 3 : DATE_OR_SHORT.test(key) || AFTER_DATE.test(text.slice(0, start))
}

const isWithin = (a: KeyOccurrence, b: KeyOccurrence) =>
  a.start >= b.start && a.end <= b.end && a.end - a.start < b.end - b.start

function matchKeysOf(student: RosterStudent): MatchKey[] {
  const { added_by_staff, email_verified, numbers, username, email } = student
  const key = (text: string, reason: MatchReason, certain: boolean): MatchKey => ({
    key: normaliseKey(text),
    candidate: { student, reason, certain },
  })
  return [
    key(username, 'username', added_by_staff),
    // An LMS may withhold it.
    ...(email ? [key(email, 'email', email_verified)] : []),
    ...numbers.filter(Boolean).map((number) => key(number, 'number', added_by_staff)),
  ]
}

/** A wrong student is worse than none. */
function toMatchResult(candidates: Candidate[]): MatchResult {
  const [first, ...others] = candidates
  const alone = others.every((one) => one.student._id === first?.student._id)
  const sure = alone ? candidates.find((one) => one.certain) : undefined
  return { student: sure?.student ?? null, reason: sure?.reason ?? null, candidates }
}

export interface Matcher {
  byFileName(fileName: string): MatchResult
  byPart(text: string): Candidate[]
}

/**
 * By a username, address or number as a whole word (below three characters only as the whole name), else by full name,
 * where a number or address beside it tells namesakes apart. Addresses count only if verified, other keys only for
 * students added by staff, as anyone may register with another's number; others prevent a match.
 */
export function createMatcher(students: RosterStudent[]): Matcher {
  const keys = students.flatMap(matchKeysOf)
  const index = createNameIndex(students)
  const named = (text: string, reason: MatchReason): Candidate[] =>
    index.find(text).map(({ student }) => ({ student, reason, certain: student.added_by_staff }))
  const words = indexByNamePart(students)
  const keysIn = (text: string): KeyOccurrence[] => {
    const found = keys.flatMap((one) => (one.key.length >= 3 || one.key === text ? findOccurrences(text, one) : []))
    // `ada.king_quiz` contains `ada.king` and `ada`: the longer key counts.
    return found.filter((one) => !found.some((other) => isWithin(one, other)))
  }
  return {
    byFileName(fileName) {
      const stem = fileStem(fileName)
      const small = normaliseKey(stem)
      const found = keysIn(small)
      const all = named(stem, 'name')
      const sameName = new Set(all.map(({ student }) => splitWords(student.full_name ?? '').join(' '))).size === 1
      const isTold = ({ student }: Candidate) =>
        sameName && found.some(({ candidate }) => candidate.student === student && candidate.reason !== 'username')
      const told = all.filter(isTold)
      const sure = found.filter(
        (one) => !isDoubtful(small, one) || told.some((t) => t.student === one.candidate.student),
      )
      return toMatchResult([...sure.map(({ candidate }) => candidate), ...(told.length > 0 ? told : all)])
    },
    byPart: (text) => [
      ...keysIn(normaliseKey(text)).map(({ candidate }) => ({ ...candidate, certain: false })),
      ...[...new Set(splitWords(text))].flatMap((word) =>
        (words.get(word) ?? []).map((student) => ({ student, reason: 'part_of_name' as const, certain: false })),
      ),
    ],
  }
}

function indexByNamePart(students: RosterStudent[]): Map<string, RosterStudent[]> {
  const parts = students.flatMap((student) =>
    [...new Set(splitWords(student.full_name ?? ''))].map((word) => ({ word, student })),
  )
  const byWord = Map.groupBy(
    parts.filter(({ word }) => word.length >= 3),
    ({ word }) => word,
  )
  return new Map([...byWord].map(([word, own]) => [word, own.map(({ student }) => student)]))
}
