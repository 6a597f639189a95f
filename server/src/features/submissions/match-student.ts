import type { UserDoc } from '../users/user.model.ts'

type Student = Pick<UserDoc, '_id' | 'username' | 'email' | 'student_number' | 'full_name'>

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

const stemOf = (fileName: string) => fileName.replace(/\.pdf$/i, '').trim()

export const identifierOf = (fileName: string) => stemOf(fileName) || fileName

/** Some systems write é as one character, others as two. */
const normalKey = (text: string) => text.normalize('NFC').toLowerCase()

const wordCharacter = /[\p{L}\p{N}]/u

function startsWord(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1)
  return before === undefined || !wordCharacter.test(before)
}

function endsWord(text: string, at: number): boolean {
  const after = text.codePointAt(at)
  return after === undefined || !wordCharacter.test(String.fromCodePoint(after))
}

interface Found<S> {
  student: S
  start: number
  end: number
}

/** Where `key` stands in `text` as a word of its own: `quiz_3-a123` holds `a123`, not `a12`. */
function placesOf<S>(text: string, key: string, student: S): Found<S>[] {
  const found: Found<S>[] = []
  for (let start = text.indexOf(key); start >= 0; start = text.indexOf(key, start + 1)) {
    const end = start + key.length
    if (startsWord(text, start) && endsWord(text, end)) found.push({ student, start, end })
  }
  return found
}

const within = (a: Found<unknown>, b: Found<unknown>) =>
  a.start >= b.start && a.end <= b.end && a.end - a.start < b.end - b.start

/**
 * Whose paper a file is, by its name: a username, address or number standing in it as a word of its own (one shorter
 * than three characters only as the whole name), or else a full name. Fits it two students, it is nobody's: anyone
 * may register under the number of another, and a paper in the wrong hands is worse than one in none.
 *
 * Addresses cannot be verified yet. The teacher who enrols an account by its id vouches for whose it is, which is why
 * only enrolled students are ever matched.
 *
 * What depends on the students alone is worked out once, for the hundreds of files of an upload.
 */
export function fileNameMatcher<S extends Student>(students: S[]): (fileName: string) => S | null {
  const keys = students.flatMap((student) =>
    [student.username, student.email, student.student_number].flatMap((key) =>
      key ? [{ student, key: normalKey(key) }] : [],
    ),
  )
  const byName = nameMatcher(students)
  return (fileName) => {
    const stem = normalKey(stemOf(fileName))
    const found = keys.flatMap(({ student, key }) =>
      key.length >= 3 || key === stem ? placesOf(stem, key, student) : [],
    )
    // `ada.king` stands in `ada.king_quiz` and so does `ada`: the longer says more.
    const telling = found.filter((one) => !found.some((other) => within(one, other)))
    const named = byName(stem)
    const fitting = new Map(
      [...telling.map(({ student }) => student), ...(named ? [named] : [])].map((student) => [
        student._id,
        student,
      ]),
    )
    const [student = null] = fitting.values()
    return fitting.size === 1 ? student : null
  }
}

/** Whose full name this is; none when two share it. */
export function matchByName<S extends Student>(name: string, students: S[]): S | null {
  return nameMatcher(students)(name)
}

function nameMatcher<S extends Student>(students: S[]): (name: string) => S | null {
  const named = new Map<string, S[]>()
  for (const student of students) {
    if (!student.full_name) continue
    const name = normalName(student.full_name)
    named.set(name, [...(named.get(name) ?? []), student])
  }
  return (name) => {
    const wanted = normalName(name)
    if (!wanted.includes(' ')) return null // One word is a first name at best.
    const [student = null, ...others] = named.get(wanted) ?? []
    return others.length === 0 ? student : null
  }
}
