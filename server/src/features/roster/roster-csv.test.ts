import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRoster } from './roster-csv.ts'

const read = (text: string | Buffer) => parseRoster(Buffer.from(text))
const emails = (text: string | Buffer) => read(text).rows.map(({ entry }) => entry.email)
const refused = (text: string) => read(text).refused.map(({ row, message }) => `${row}: ${message}`)

describe('a roster’s file', () => {
  it('has its columns in any order and case, under any of their names, beside others', () => {
    const text = 'Notes;SIS User ID;E-Mail ; Name\n"late; often";0042;ada@school.example;Ada Lovelace\n'
    expect(read(text).rows).toEqual([
      {
        row: 2,
        entry: {
          email: 'ada@school.example',
          external_user_id: null,
          sis_user_id: '0042',
          full_name: 'Ada Lovelace',
        },
      },
    ])
  })

  it('comes in whichever encoding a spreadsheet writes, and says where letters were guessed', () => {
    const text = 'email,name\nzoe@school.example,Zoë\n'
    const utf16 = Buffer.from(text, 'utf16le')
    const bigEndian = Buffer.from(utf16).swap16()
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian]),
    ]) {
      expect(parseRoster(bytes)).toMatchObject({ rows: [{ entry: { full_name: 'Zoë' } }], notes: [] })
    }
    const latin = parseRoster(Buffer.from(text, 'latin1'))
    expect(latin.rows[0]?.entry.full_name).toBe('Zoë')
    expect(latin.notes).toEqual([expect.stringContaining('not UTF-8')])
  })

  it('is refused as a whole where it is none, in words that help', () => {
    const workbook = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200)])
    expect(() => parseRoster(workbook)).toThrow('This is not a CSV file.')
    expect(() => read('name,class\nAda,8b\n')).toThrow('The file has no column “email”.')
    expect(() => read('email\n\n')).toThrow('no students below it')
    expect(() => read(`email\n${'x@y.example\n'.repeat(20_001)}`)).toThrow('more than 20,000 students')
  })

  it('names each bad row by its number in the sheet, and keeps the good ones', () => {
    const text = [
      'sep=,',
      'email,sis_user_id',
      'ada@school.example,1',
      'not-an-address,2',
      '',
      ',3',
      'ADA@school.example,4',
      'ben@school.example,5,6',
      '"cy@school.example,7',
      'dan@school.example,"8"',
      'eve@school.example,9',
    ].join('\r\n')
    expect(emails(text)).toEqual(['ada@school.example', 'dan@school.example', 'eve@school.example'])
    expect(refused(text)).toEqual([
      '4: Please enter a valid email address',
      '6: Email is required',
      '7: This address is in row 3 already.',
      '8: The row has more cells than the header. Put quotation marks around cells with commas.',
      '9: A quotation mark is opened and not closed, or stands where none belongs.',
    ])
  })

  it('takes what looks like a formula for the text it is', () => {
    const [first] = read('email,external_user_id\nada@school.example,"=HYPERLINK(""http://x"")"\n').rows
    expect(first?.entry.external_user_id).toBe('=HYPERLINK("http://x")')
  })
})

const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)
const email = fc.tuple(word, word).map(([a, b]) => `${a}@${b}.example`)
/** What a cell may hold beside its own letters: everything that means something to CSV. */
const cell = fc
  .array(fc.constantFrom('a', 'é', '李', '"', ',', ';', '\t', '|', ' ', '=', "'"), { maxLength: 8 })
  .map((letters) => letters.join('').trim())
const note = fc.array(fc.constantFrom('x', '"', '\n', ',', ';'), { maxLength: 6 }).map((l) => l.join(''))
const student = fc.record({ email, external_user_id: cell, sis_user_id: cell, full_name: cell, note })
const columns = ['email', 'external_user_id', 'sis_user_id', 'full_name', 'note'] as const
const layout = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8 with mark', 'utf16'),
  always: fc.boolean(),
  last: fc.boolean(),
  order: fc.shuffledSubarray([...columns], { minLength: columns.length }),
})
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never

function write(students: { [K in (typeof columns)[number]]: string }[], how: Layout, bad: string[] = []) {
  const quoted = (text: string) =>
    how.always || /["\r\n,;\t|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const lines = students.map((one) => how.order.map((column) => quoted(one[column])).join(how.delimiter))
  // A bad line after each good one, as long as there are any.
  const mixed = lines.flatMap((line, i) => (bad[i] === undefined ? [line] : [line, bad[i]]))
  const text = [how.order.map(quoted).join(how.delimiter), ...mixed].join(how.lineEnd)
  const whole = how.last ? text + how.lineEnd : text
  if (how.encoding === 'utf16') return Buffer.from(`\ufeff${whole}`, 'utf16le')
  return Buffer.from(how.encoding === 'utf8' ? whole : `\ufeff${whole}`)
}

const class_ = fc.uniqueArray(student, { selector: (one) => one.email, minLength: 1, maxLength: 20 })
const expected = (students: { [K in (typeof columns)[number]]: string }[]) =>
  students.map(({ note: _, ...one }) => ({
    email: one.email,
    external_user_id: one.external_user_id.normalize('NFC') || null,
    sis_user_id: one.sis_user_id.normalize('NFC') || null,
    full_name: one.full_name.normalize('NFC') || null,
  }))

describe('any roster', () => {
  // A tab inside a cell is a control character, which no name and no number has.
  const plain = class_.filter((students) => !JSON.stringify(students).includes('\\t'))

  it('comes out as it went in, whatever the quoting, the line ends, the delimiter and the encoding', () => {
    fc.assert(
      fc.property(plain, layout, (students, how) => {
        const parsed = parseRoster(write(students, how))
        expect(parsed.rows.map(({ entry }) => entry)).toEqual(expected(students))
        expect(parsed.refused).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('loses no good row to bad ones between them', () => {
    const bad = fc.array(
      fc.constantFrom('"open@school.example', 'no address', 'a"b@school.example', '"x"y', 'b@@x', '"'),
      { minLength: 1, maxLength: 10 },
    )
    fc.assert(
      fc.property(plain, layout, bad, (students, how, lines) => {
        const parsed = parseRoster(write(students, how, lines))
        const given = Math.min(lines.length, students.length)
        expect(parsed.rows.map(({ entry }) => entry)).toEqual(expected(students))
        expect(parsed.refused).toHaveLength(given)
      }),
      { numRuns: 300 },
    )
  })
})
