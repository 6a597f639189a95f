import { describe, expect, it } from 'vitest'
import { createUniqueNames, paperName, safeFileName } from './graded-paper.service.ts'

const submission = { _id: 7, student_identifier: 'scan-07', created_at: new Date(0) }
const nameFor = (full_name: string | null, student_number: string | null = null) =>
  paperName({ submission, student: { full_name, username: 'lchen', student_number } })

describe('the name of a paper', () => {
  it.each([
    ['Lucy Chen', 'Chen, Lucy'],
    ['Vincent van Gogh', 'van Gogh, Vincent'],
    ['Chen, Lucy', 'Chen, Lucy'],
    ['Plato', 'Plato'],
    ['王小明', '王小明'],
  ])('has the surname first: %s', (name, expected) => {
    expect(nameFor(name)).toBe(expected)
    expect(nameFor(name, '1001')).toBe(`${expected} (1001)`)
  })

  it('is the username or what the paper is called by where there is no name', () => {
    expect(nameFor(null)).toBe('lchen')
    expect(paperName({ submission, student: null })).toBe('scan-07')
  })
})

describe('a file name', () => {
  it.each([
    ['../../etc/passwd', '-..-etc-passwd'],
    ['C:\\temp\\a', 'C--temp-a'],
    ['a\u0000b\u202ecod', 'abcod'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['...', 'Paper'],
    ['what?', 'what-'],
  ])('is safe on every system: %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected)
  })

  it('is not longer than file systems take', () => {
    expect(Buffer.byteLength(safeFileName('王'.repeat(300)))).toBeLessThan(250)
  })

  it('is unique, also where capitals do not count', () => {
    const unique = createUniqueNames()
    expect(['Chen, Lucy', 'chen, lucy', 'Chen, Lucy', 'Chen, Li'].map((name) => unique(name))).toEqual([
      'Chen, Lucy.pdf',
      'chen, lucy – 2.pdf',
      'Chen, Lucy – 3.pdf',
      'Chen, Li.pdf',
    ])
  })
})
