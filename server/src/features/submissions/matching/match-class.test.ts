import { describe, expect, it } from 'vitest'
import type { OwnerHint } from '../../../grader/grader.ts'
import type { RosterStudent } from './name-index.ts'
import { createPaperReader, matchClass } from './paper-evidence.ts'

const student = (_id: number, full_name: string, number = `B${20_000 + 7 * _id}`): RosterStudent => ({
  _id,
  username: `user${_id}`,
  full_name,
  email: `user${_id}@school.example`,
  email_verified: true,
  added_by_staff: true,
  numbers: [number],
})

const anna = student(1, 'Anna Meier')
const maier = student(2, 'Anna Maier')
const thea = student(3, 'Thea Wolkenstein')
const bruno = student(4, 'Bruno Wolkenstein')
const renee = student(5, 'Renée du Bois')
const wang = student(6, '王小明')
const peter = student(7, 'Peter Schwarz', '4711')
const petra = student(8, 'Petra Adler', '4712')
const roster = [anna, maier, thea, bruno, renee, wang, peter, petra]

type Hint = Partial<OwnerHint> & { text: string }
const hint = (one: Hint | string): OwnerHint => ({
  kind: 'name',
  page: 1,
  ocr: false,
  ...(typeof one === 'string' ? { text: one } : one),
})
const scanned = (text: string, more: Partial<Hint> = {}): Hint => ({ text, ocr: true, ...more })
const number = (text: string, more: Partial<Hint> = {}): Hint => ({ text, kind: 'number', ...more })
const loose = (text: string, more: Partial<Hint> = {}): Hint => ({ text, kind: 'unlabelled', ...more })

function match(papers: (Hint | string)[][], { students = roster, taken = [] as RosterStudent[] } = {}) {
  const read = createPaperReader(students)
  const evidence = new Map(papers.map((hints, i) => [i, read(hints.map(hint))]))
  const given = matchClass(evidence, { rosterSize: students.length, taken: taken.map(({ _id }) => _id) })
  return papers.map((_, i) => given.get(i)?.student ?? null)
}
const matchOne = (...hints: (Hint | string)[]) => match([hints])[0]
const suggested = (...hints: (Hint | string)[]) =>
  createPaperReader(roster)(hints.map(hint)).students.map((one) => one.student)

describe('what is typed', () => {
  it.each<[string, RosterStudent | null, ...(Hint | string)[]]>([
    ['a name', thea, 'Thea Wolkenstein'],
    ['a name the other way round', thea, 'Wolkenstein, Thea'],
    ['a name with an initial', thea, 'T. Wolkenstein'],
    ['a name in capitals without accents', renee, 'RENEE DU BOIS'],
    ['a name without its particle', renee, 'Renée Bois'],
    ['a name in a script without spaces', wang, '王小明'],
    ['a first name that one student has', bruno, 'Bruno'],
    ['a first name that two students have', null, 'Anna'],
    ['a surname that two students have', null, 'Wolkenstein'],
    ['one of two names a letter apart', maier, 'Anna Maier'],
    ['a name that is a letter off', null, 'Anna Meyer'],
    ['a name a letter off, with the number', thea, 'Thea Wolkenstien', number('B20021')],
    ['a letter in each box', thea, 'W O L K E N S T E I N  T H E A'],
    ['somebody else', null, 'Emil Nowak'],
    ['somebody else with a student’s number', null, 'Emil Nowak', number('B20021')],
    ['a name with another’s number', null, 'Thea Wolkenstein', number('B20028')],
    ['a number', bruno, number('B20028')],
    ['a number without its letter', bruno, number('20028')],
    ['a number in the header', bruno, loose('Physics B20028 12 May')],
    ['a short number anywhere', null, loose('4711')],
    ['an address', bruno, loose('user4@school.example')],
    ['another address that ends alike', null, loose('xuser4@school.example')],
    ['a username in its field', bruno, { text: 'user4', kind: 'email' }],
    ['a name without a label', thea, loose('thea wolkenstein period 3')],
    ['a name in a sentence of other letters', null, loose('panna meieri')],
  ])('%s', (_, expected, ...hints) => {
    expect(matchOne(...hints)).toBe(expected)
  })

  it('suggests by what is not clear', () => {
    expect(suggested('Anna Meyer').slice(0, 2)).toEqual(expect.arrayContaining([anna, maier]))
    expect(suggested('Thea Wolkenstein', number('B20028'))).toEqual(expect.arrayContaining([thea, bruno]))
  })
})

describe('what was read from a picture', () => {
  it.each<[string, RosterStudent | null, ...Hint[]]>([
    ['letters that look alike', thea, scanned('Tkea Wolhenstcin')],
    ['letters that changed places', peter, scanned('Petre Schwrazz')],
    ['one of two with a surname', bruno, scanned('Brvno Wolkcnstein')],
    ['a surname alone that two have', null, scanned('~~ Wolkenstein')],
    ['one of two with letters apart that look alike', null, scanned('Anna Meier')],
    ['one of two a letter apart, with the number', anna, scanned('Anna Meicr'), number('B2OOO7', { ocr: true })],
    ['one word of two alone', peter, scanned('~ Schwarz .')],
    ['one short word of two alone', null, scanned('Bruno')],
    ['half a name, with the number', peter, scanned('Peter Mmn'), number('4711', { ocr: true })],
    ['scribble', null, scanned('Ilj (Zrr')],
    ['scribble with the number', thea, scanned('Ilj (Zrr'), number('B20021', { ocr: true })],
    ['a number in boxes', thea, number('[B][2][0][0][2][1]', { ocr: true })],
    ['numbers a figure apart', null, number('471', { ocr: true })],
    ['somebody else', null, scanned('Emil Nowak')],
    ['somebody else with a student’s surname', null, scanned('Emil Wolkenstein')],
    ['a name at the top', thea, loose('Thea Wolkenstcin', { ocr: true })],
    ['a poor name at the top', null, loose('Feter Sckwo', { ocr: true })],
  ])('%s', (_, expected, ...hints) => {
    expect(matchOne(...hints)).toBe(expected)
  })
})

describe('a class', () => {
  it('leaves a poor reading to the student who has no paper yet', () => {
    const poor = [scanned('Anna Meler')]
    expect(match([poor])).toEqual([null])
    expect(match([['Anna Maier'], poor])).toEqual([maier, anna])
    expect(match([poor], { taken: [maier] })).toEqual([anna])
  })

  it('leaves a first name that can hardly be read to the only one of a surname who has no paper yet', () => {
    const poor = [scanned('Ihoc Wolkenstcin')]
    expect(match([poor])).toEqual([null])
    expect(match([['Bruno Wolkenstein'], poor])).toEqual([bruno, thea])
    expect(match([['Bruno Wolkenstein'], [scanned('Xaver Wolkenstcin')]])).toEqual([bruno, null])
  })

  it('tells two with names a letter apart from each other where both have a paper, and leaves what is close', () => {
    const [sander, santer] = [student(9, 'Mara Sander'), student(10, 'Mara Santer')]
    const both = (...names: string[]) =>
      match(
        names.map((name) => [scanned(name)]),
        { students: [...roster, sander, santer] },
      )
    expect(both('Mara Sander')).toEqual([sander])
    expect(both('Mara Sanber')).toEqual([null])
    expect(both('Mara Sander', 'Mara Santer')).toEqual([sander, santer])
    expect(both('Mara Sanxer', 'Mara Sanxer')).toEqual([null, null])
  })

  it('gives no second paper to the student nearest to it, nor to the next', () => {
    expect(match([['Thea Wolkenstein'], [scanned('Thea Wolkenstcin')]])).toEqual([null, null])
    expect(match([[scanned('Thea Wolkenstcin')]], { taken: [thea] })).toEqual([null])
  })

  it('does not match a file with two students’ names', () => {
    const two = [loose('Peter Schwarz', { ocr: true }), loose('Petra Adler', { ocr: true, page: 2 })]
    expect(match([two, ['Petra Adler']])).toEqual([null, petra])
    expect(createPaperReader(roster)(two.map(hint)).told.map((one) => [one.student, one.page])).toEqual([
      [peter, 1],
      [petra, 2],
    ])
  })

  it('matches nobody by a name and number they chose themselves', () => {
    const joined = { ...thea, added_by_staff: false }
    const students = [anna, joined]
    expect(match([['Thea Wolkenstein', number('B20021')]], { students })).toEqual([null])
    expect(match([['Thea Wolkenstein', loose('user3@school.example')]], { students })).toEqual([null])
    expect(match([[loose('user3@school.example')]], { students })).toEqual([joined])
  })

  it('tells five hundred students apart by poorly read names, and knows whom it does not have', () => {
    const firsts =
      'Adele Boris Clara Dennis Elif Fritz Greta Hakim Ilse Jonas Kaja Lorenz Mona Nils Oda Pavel Quirin Runa Selma Tarik'
    const lasts =
      'Ackermann Brenner Cordes Dietrich Eisenberg Falkner Gruber Hartmann Immel Jansen Kowalke Lindner Mertens Neubauer Oster Pfeiffer Quandt Reinhardt Steiger Thalmann Ullrich Vogelsang Winterfeld Yildirim Zimmer'
    const names = lasts.split(' ').flatMap((last) => firsts.split(' ').map((first) => `${first} ${last}`))
    const students = names.map((name, i) => student(i, name))
    const misread = (name: string) =>
      scanned(
        name
          .replace('e', 'c')
          .replace(/n(?=.*$)/, 'u')
          .replace('l', '1'),
      )
    const papers = names.filter((_, i) => i % 7 === 0).map((name) => [misread(name)])
    const right = students.filter((_, i) => i % 7 === 0)
    const matched = match(papers, { students })
    for (const [i, one] of matched.entries()) expect([null, right[i]]).toContain(one)
    expect(matched.filter((one) => one !== null).length).toBeGreaterThan(papers.length / 2)
    const absent = students.filter((_, i) => i % 7 !== 0)
    expect(match(papers, { students: absent }).filter((one) => one !== null)).toEqual([])
  })
})

describe('a number filled in with columns left empty', () => {
  const long = student(9, 'Ida Lang', '31415')
  const short = student(10, 'Jo Kurz', '3141')
  const students = [...roster, long, short]
  const filled = (text: string, missing = 5 - text.length) => number(text, missing > 0 ? { missing } : {})

  it('is nobody’s for sure where it may be another’s with a digit left out', () => {
    expect(match([[filled('3141')]], { students })).toEqual([null])
    expect(match([[filled('3141')]], { students, taken: [long] })).toEqual([null])
    expect(createPaperReader(students)([hint(filled('3141'))]).students.map((one) => one.student)).toEqual([
      short,
      long,
    ])
  })

  it('is a student’s whose name is on the paper too, or who alone can be meant', () => {
    expect(match([[filled('3141'), 'Jo Kurz']], { students })).toEqual([short])
    expect(match([[filled('31415')], [filled('4711')]], { students })).toEqual([long, peter])
    expect(match([[number('3141')]], { students })).toEqual([short])
  })
})
