import type { UserDoc } from '../users/user.model.ts'

type Student = Pick<UserDoc, '_id' | 'username' | 'email' | 'student_number' | 'full_name'>

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `Ada  Lovelace`, `lovelace, ada` and `ada_lovelace` are one name. */
function normalName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  return words.sort().join(' ')
}

/** `key` standing in `text` as a word of its own: `quiz_3-a123.pdf` holds `a123`, not `a12`. */
function holds(text: string, key: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literally(key)}(?![\\p{L}\\p{N}])`, 'iu').test(text)
}

const stemOf = (fileName: string) => fileName.replace(/\.pdf$/i, '').trim()

export const identifierOf = (fileName: string) => stemOf(fileName) || fileName

/**
 * Whose paper a file is, by its name: first the whole name as username, address, number or full name, then one of
 * them standing in it as a word of its own. Two who fit equally well are none.
 */
export function matchByFileName<S extends Student>(fileName: string, students: S[]): S | null {
  const stem = stemOf(fileName).toLowerCase()
  const keysOf = (student: S) =>
    [student.username, student.email, student.student_number].flatMap((key) =>
      key ? [key.toLowerCase()] : [],
    )
  const exact = students.filter((student) => keysOf(student).includes(stem))
  if (exact.length > 0) return exact.length === 1 ? (exact[0] ?? null) : null

  const within = students.flatMap((student) => {
    const found = keysOf(student).filter((key) => key.length >= 3 && holds(stem, key))
    return found.length > 0 ? [{ student, length: Math.max(...found.map((key) => key.length)) }] : []
  })
  // `ada.king` stands in `ada.king_quiz` and so does `ada`: the longer says more.
  const longest = Math.max(0, ...within.map((match) => match.length))
  const best = within.filter((match) => match.length === longest)
  if (best.length > 0) return best.length === 1 ? (best[0]?.student ?? null) : null

  return matchByName(stem, students)
}

/** Whose full name this is; none when two share it. */
export function matchByName<S extends Student>(name: string, students: S[]): S | null {
  const wanted = normalName(name)
  if (!wanted.includes(' ')) return null // One word is a first name at best.
  const named = students.filter((student) => student.full_name && normalName(student.full_name) === wanted)
  return named.length === 1 ? (named[0] ?? null) : null
}
