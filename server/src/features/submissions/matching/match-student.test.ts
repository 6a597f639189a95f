import { describe, expect, it } from 'vitest'
import { cpuTimeOf } from '../../../testing/cpu-time.ts'
import { createMatcher } from './match-student.ts'
import type { RosterStudent } from './matching-roster.ts'

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

const ada = student(1, 'ada', { number: '20260101', name: 'Ada Lovelace' })
const king = student(2, 'ada.king', { number: '20260102', name: 'Ada King' })
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
    ['quiz 3 - 20260101 (final).pdf', ada],
    ['ada.king_quiz.pdf', king],
    ['Lovelace, Ada.pdf', ada],
    ['ben zoe\u0308.pdf', ben],
    ['7.pdf', ben],
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

  it('matches nobody when it fits two students by different keys', () => {
    expect(match('20260101_ben.pdf')).toBeNull()
    // Someone registered under another's number, and someone whose username is half of another's name.
    const claims = student(4, '20260101')
    expect(fileNameMatcher([ada, claims])('20260101.pdf')).toBeNull()
    expect(fileNameMatcher([ada, claims])('quiz 20260101.pdf')).toBeNull()
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
  const joined = student(6, 'eve', { number: '20260106', name: 'Eve Adams', added_by_staff: false })
  const unverified = student(7, 'fay', { email_verified: false })
  const matcher = createMatcher([ada, joined, unverified])

  it('is matched automatically by a verified address only, and suggested otherwise', () => {
    expect(matcher.byFileName('eve@school.example.pdf').student).toBe(joined)
    for (const [name, reason] of [
      ['eve.pdf', 'username'],
      ['20260106.pdf', 'number'],
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
    const claims = student(8, '20260101', { added_by_staff: false })
    const { student: whose, candidates } = createMatcher([ada, claims]).byFileName('20260101.pdf')
    expect(whose).toBeNull()
    expect(candidates.map((one) => one.student)).toEqual([ada, claims])
  })
})

it('only suggests by a part of a name', () => {
  const found = createMatcher([ada, king, ben]).byNamePart('lovelace quiz 3')
  expect(found).toEqual([{ student: ada, reason: 'part_of_name', certain: false }])
})
