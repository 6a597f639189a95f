import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRoster } from './roster-csv.ts'

const read = (text: string | Buffer) => parseRoster(Buffer.from(text))
const emails = async (text: string | Buffer) => (await read(text)).rows.map(({ entry }) => entry.email)
const refused = async (text: string) => (await read(text)).rejected.map(({ row, message }) => `${row}: ${message}`)

describe('a roster’s file', () => {
  it('may have its columns in any order and case, under any of their names, among others', async () => {
    const text = 'Notes;SIS User ID;E-Mail ; Name\n"late; often";0042;ada@school.example;Ada Lovelace\n'
    expect((await read(text)).rows).toEqual([
      {
        row: 2,
        entry: { email: 'ada@school.example', external_user_id: null, sis_user_id: '0042', full_name: 'Ada Lovelace' },
      },
    ])
  })

  it('may call a school’s own number and the parts of a name by other names', async () => {
    const text = 'Vorname,Surname,E-mail,Matr.-Nr.\nAda,Lovelace,ada@school.example,0042\n'
    const entry = { sis_user_id: '0042', external_user_id: null, full_name: 'Ada Lovelace' }
    expect((await read(text)).rows).toMatchObject([{ entry }])
    const both = 'student_id,sis_user_id,name,email,Student ID\n7,8,Ben Roth,ben@school.example,9\n'
    expect((await read(both)).rows).toMatchObject([{ entry: { sis_user_id: '8', full_name: 'Ben Roth' } }])
  })

  it('may have any encoding a spreadsheet writes, and gets a note where characters were guessed', async () => {
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
      expect(await parseRoster(bytes)).toMatchObject({ rows: [{ entry: { full_name: 'Zoë' } }], notes: [] })
    }
    const latin = await parseRoster(Buffer.from(text, 'latin1'))
    expect(latin.rows[0]?.entry.full_name).toBe('Zoë')
    expect(latin.notes).toEqual([expect.stringContaining('not UTF-8')])
  })

  it('is rejected as a whole where it is not a roster, with a helpful message', async () => {
    const workbook = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200)])
    await expect(parseRoster(workbook)).rejects.toThrow('This is not a CSV file.')
    await expect(read('name,class\nAda,8b\n')).rejects.toThrow('The file has no column “email”.')
    await expect(read('email\n\n')).rejects.toThrow('no students')
    await expect(read(`email\n${'x@y.example\n'.repeat(20_001)}`)).rejects.toThrow('more than 20,000 students')
  })

  it('names each bad row by its number in the sheet, and accepts the good ones', async () => {
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
    expect(await emails(text)).toEqual(['ada@school.example', 'dan@school.example', 'eve@school.example'])
    expect(await refused(text)).toEqual([
      '4: Please enter a valid email address',
      '6: Email is required',
      '7: This address is already in row 3.',
      '8: The row has more cells than the header. Put quotation marks around cells with commas.',
      '9: A quotation mark is missing or misplaced.',
    ])
  })

  it.each([
    ['Student,ID,SIS Login ID,Section\n', 'Ada Byron,5100,ada@school.example,8b', '5100'],
    ['canvas_user_id,full_name,email\n', '5100,Ada Byron,ada@school.example', '5100'],
    ['Student,ID,Section,Email,UPN\n', 'Ada Byron,5100,8b,ada@school.example,7', undefined],
    ['external_user_id,email\n', '5100,ada@school.example', undefined],
  ])('keeps a number as Canvas’s own only from a file of Canvas: %s', async (header, row, canvas_user_id) => {
    const [first] = (await read(header + row)).rows
    expect(first?.entry.canvas_user_id).toBe(canvas_user_id)
  })

  it('treats formulas as text', async () => {
    const [first] = (await read('email,external_user_id\nada@school.example,"=HYPERLINK(""http://x"")"\n')).rows
    expect(first?.entry.external_user_id).toBe('=HYPERLINK("http://x")')
  })
})

const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)
const email = fc.tuple(word, word).map(([a, b]) => `${a}@${b}.example`)
/** Everything with a meaning in CSV. */
const cell = fc
  .array(fc.constantFrom('a', 'é', '李', '"', ';', '\t', '|', ' ', "'"), { maxLength: 8 })
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

/** How often the event loop was yielded. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const others = () => {
    turns++
    if (!over) setImmediate(others)
  }
  setImmediate(others)
  await work.finally(() => {
    over = true
  })
  return turns
}

describe('a file made to block the server', () => {
  const longest = 10 * 1024 * 1024
  const good = 'ada@school.example\n'
  const filled = (line: string) => `email\n${good}${line.repeat(Math.floor((longest - 100) / line.length))}`

  it.each([
    ['quotes that are never closed', '"open@school.example\n'],
    ['one quote, then lines without any', `"x${'\na,b'.repeat(48)}\n`],
    ['quotes in the wrong place on every line', 'x"y",",""",\n'],
    ['line ends alone', '\n'],
  ])('of %s does not block the event loop, and loses no good row', async (_, line) => {
    const reading = read(filled(line)).then(
      ({ rows }) => rows.map(({ entry }) => entry.email),
      (error: Error) => error.message,
    )
    const turns = turnsDuring(reading)
    expect([['ada@school.example'], expect.stringContaining('more than 20,000 students')]).toContainEqual(await reading)
    // One or two happen anyway.
    expect(await turns).toBeGreaterThan(2)
  })

  it('of one endless line is not parsed cell by cell', async () => {
    expect(await emails(filled('"x",'))).toEqual(['ada@school.example'])
  })

  it('rejects a row that is too long, and accepts the next', async () => {
    const text = `email,name\n${good}x@school.example,"${'x'.repeat(100_000)}"\nben@school.example\n`
    expect(await emails(text)).toEqual(['ada@school.example', 'ben@school.example'])
    expect(await refused(text)).toEqual(['3: The row is too long.'])
  })
})

describe('any roster', () => {
  // A tab in a cell is a control character, which no name or number has.
  const plain = class_.filter((students) => !JSON.stringify(students).includes('\\t'))

  it('is read as written, with any quoting, line ends, delimiter and encoding', async () => {
    await fc.assert(
      fc.asyncProperty(plain, layout, async (students, how) => {
        const parsed = await parseRoster(write(students, how))
        expect(parsed.rows.map(({ entry }) => entry)).toEqual(expected(students))
        expect(parsed.rejected).toEqual([])
      }),
    )
  })

  it('loses no good row to bad ones', async () => {
    const bad = fc.array(
      fc.constantFrom('"open@school.example', 'no address', 'a"b@school.example', '"x"y', 'b@@x', '"'),
      { minLength: 1, maxLength: 10 },
    )
    await fc.assert(
      fc.asyncProperty(plain, layout, bad, async (students, how, lines) => {
        const parsed = await parseRoster(write(students, how, lines))
        const given = Math.min(lines.length, students.length)
        expect(parsed.rows.map(({ entry }) => entry)).toEqual(expected(students))
        expect(parsed.rejected).toHaveLength(given)
      }),
    )
  })
})
