import { describe, expect, it } from 'vitest'
import { cpuTimeOf } from '../../../testing/cpu-time.ts'
import { createMatcher } from './match-student.ts'
import type { RosterStudent } from './name-index.ts'

const student = (
  _id: number,
  username: string,
  { number, name = null, ...more }: { number?: string; name?: string | null } & Partial<RosterStudent> = {},
): RosterStudent => ({
  _id,
  username,
  email: `${username}@school.example`,
  email_verified: true,
  added_by_staff: true,
  numbers: number ? [number] : [],
  full_name: name,
  ...more,
})

const fileNameMatcher = (students: RosterStudent[]) => {
  const matcher = createMatcher(students)
  return (fileName: string) => matcher.byFileName(fileName).student
}

const ada = student(1, 'ada', { number: '48151601', name: 'Ada Lovelace' })
const king = student(2, 'ada.king', { number: '48151602', name: 'Ada King' })
const ben = student(3, 'ben', { number: '7', name: 'Ben Zoë' })

it('works without an email address, which an LMS may withhold', () => {
  const quiet = student(4, 'quiet', { email: '' })
  const match = fileNameMatcher([quiet])
  expect([match('.pdf'), match('quiz.pdf'), match('quiet.pdf')]).toEqual([null, null, quiet])
})

describe('a file’s name', () => {
  const match = fileNameMatcher([ada, king, ben])
  it.each([
    ['ADA.PDF', ada],
    ['ada@school.example.pdf', ada],
    ['quiz 3 - 48151601 (final).pdf', ada],
    ['ada.king_quiz.pdf', king],
    ['Lovelace, Ada.pdf', ada],
    ['ben zoe\u0308.pdf', ben],
    ['7.pdf', null], // A scanner's counter.
    ['quiz 7.pdf', null],
    ['xadax.pdf', null],
    ['ada\u{1D400}.pdf', null], // A mathematical letter is a letter.
    ['scan 12.pdf', null],
    ['.pdf', null],
  ])('%s', (fileName, expected) => {
    expect(match(fileName)).toBe(expected)
  })

  describe('with a name among other words', () => {
    const zoe = student(11, 's11', { name: 'Zoë Núñez' })
    const oneill = student(12, 's12', { name: "Siobhán O'Neill" })
    const vanDam = student(13, 's13', { name: 'Lotte van Dam' })
    const annaMeier = student(14, 's14', { name: 'Anna Meier' })
    const annaMaier = student(15, 's15', { name: 'Anna Maier' })
    const schulz = student(16, 's16', { name: 'Anna Meier Schulz' })
    const liWu = student(17, 's17', { name: 'Li Wu' })
    const inClass = fileNameMatcher([ada, king, zoe, oneill, vanDam, annaMeier, annaMaier, schulz, liWu])
    it.each([
      ['01-ada-lovelace.pdf', ada],
      ['lovelaceada_12345_678901_Quiz 3.pdf', ada],
      ['Ada Lovelace_4711_assignsubmission_file_quiz.pdf', ada],
      ['Quiz3AdaLovelace2.pdf', ada],
      ['a_lovelace (2).pdf', ada],
      ['alovelace.pdf', ada],
      ['grade-a-lovelace.pdf', null], // Another word: the letter may be no initial.
      ['05 zoe nunez.pdf', zoe],
      ['zo-n-ez.pdf', zoe], // As programs write it that know no accents.
      ['n-nez-zoe.pdf', zoe],
      ['07-siobhan-o-neill.pdf', oneill],
      ['ONeill, Siobhan.pdf', oneill],
      ['dam-lotte.pdf', vanDam],
      ['van Dam, Lotte.pdf', vanDam],
      ['anna-meier.pdf', annaMeier],
      ['anna-maier.pdf', annaMaier],
      ['anna-meyer.pdf', null],
      ['anna-meier-schulz.pdf', schulz],
      ['a-meier.pdf', annaMeier],
      ['anna-meier-and-anna-maier.pdf', null],
      ['li-wu.pdf', liWu],
      ['deliwunder.pdf', null],
      ['anna.pdf', null],
    ])('%s', (fileName, expected) => {
      expect(inClass(fileName)?.full_name ?? null).toBe(expected?.full_name ?? null)
    })
  })

  it('tells students of one name apart by the number beside it', () => {
    const [one, two] = [
      student(21, 'js1', { number: '4001', name: 'John Smith' }),
      student(22, 'js2', { number: '4002', name: 'John Smith' }),
    ]
    const inClass = fileNameMatcher([one, two, ada])
    expect(['john smith 4002.pdf', '4001_Smith_John.pdf', '4002.pdf'].map(inClass)).toEqual([two, one, two])
    expect(['john smith.pdf', 'john smith 4001 4002.pdf', 'john smith and ada lovelace 4002.pdf'].map(inClass)).toEqual(
      [null, null, null],
    )
  })

  it.each([
    ['101', ['bio 101 scan.pdf', 'scan 101.pdf', 'page_101_of_120.pdf']],
    ['2026', ['exam 2026.pdf', 'exam 2026-01-12.pdf']],
    ['310126', ['scan 310126.pdf']],
    ['123456', ['scan_20260131_123456.pdf', 'scan 2026-01-31 123456.pdf']],
    ['31012026', ['exam 31012026.pdf']],
  ])('takes %s for no student number where it may be a date, a course or a counter', (number, files) => {
    const carl = student(31, 'carl', { number, name: 'Carl Weiss' })
    const matcher = createMatcher([carl, ada])
    for (const file of files) {
      expect([file, matcher.byFileName(file).candidates]).toEqual([file, []])
      expect(matcher.byPart(file)).toMatchObject([{ student: carl, reason: 'number', certain: false }])
      expect(matcher.byFileName(`Ada Lovelace ${file}`).student).toBe(ada)
    }
    expect(matcher.byFileName(`${number}.pdf`).student).toBe(carl)
  })

  it('matches nobody when it fits two students by different keys', () => {
    expect(match('48151601_ben.pdf')).toBeNull()
    // Someone registered under another's number, or with half of another's name.
    const claims = student(4, '48151601')
    expect(fileNameMatcher([ada, claims])('48151601.pdf')).toBeNull()
    expect(fileNameMatcher([ada, claims])('quiz 48151601.pdf')).toBeNull()
    expect(fileNameMatcher([ada, student(5, 'lovelace')])('Lovelace, Ada.pdf')).toBeNull()
  })

  it('matches five hundred files against a thousand students quickly', () => {
    const many = Array.from({ length: 1000 }, (_, i) =>
      student(i, `student.${i}`, { number: `2026${String(i).padStart(5, '0')}`, name: `First${i} Last${i}` }),
    )
    const matchAll = () => {
      const matched = fileNameMatcher(many)
      return Array.from({ length: 500 }, (_, i) => matched(`quiz_student.${i}_scan.pdf`)?._id)
    }
    expect(matchAll()).toEqual(Array.from({ length: 500 }, (_, i) => i))
    expect(cpuTimeOf(matchAll)).toBeLessThan(1000)
  })
})

describe('a student who joined by a code', () => {
  const joined = student(6, 'eve', { number: '48151606', name: 'Eve Adams', added_by_staff: false })
  const unverified = student(7, 'fay', { email_verified: false })
  const matcher = createMatcher([ada, joined, unverified])

  it('is matched automatically by a verified address only, and suggested otherwise', () => {
    expect(matcher.byFileName('eve@school.example.pdf').student).toBe(joined)
    for (const [name, reason] of [
      ['eve.pdf', 'username'],
      ['48151606.pdf', 'number'],
      ['Eve Adams.pdf', 'name'],
    ] as const) {
      const { student: whose, candidates } = matcher.byFileName(name)
      expect(whose).toBeNull()
      expect(candidates).toContainEqual({ student: joined, reason, certain: false })
    }
  })

  it('is not matched by an unverified address, but by a username', () => {
    expect(matcher.byFileName('fay@school.example.pdf').student).toBeNull()
    expect(matcher.byFileName('fay@school.example.pdf').candidates[0]).toMatchObject({ reason: 'email' })
    expect(matcher.byFileName('fay.pdf').student).toBe(unverified)
  })

  it('prevents a match with another student who fits too', () => {
    const claims = student(8, '48151601', { added_by_staff: false })
    const { student: whose, candidates } = createMatcher([ada, claims]).byFileName('48151601.pdf')
    expect(whose).toBeNull()
    expect(candidates.map((one) => one.student)).toEqual([ada, claims])
  })
})

it('only suggests by a part of a name', () => {
  const found = createMatcher([ada, king, ben]).byPart('lovelace quiz 3')
  expect(found).toEqual([{ student: ada, reason: 'part_of_name', certain: false }])
})
