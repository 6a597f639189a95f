import { describe, expect, it } from 'vitest'
import { createMask, type MaskOptions } from './mask.ts'

const mask = (rest: Partial<MaskOptions> = {}) =>
  createMask({
    private_words: ['Ada Diaz', 'adiaz7', 'ada@school.example', '4711123'],
    name_on_paper: null,
    publicText: '',
    ...rest,
  })

const hidden = (text: string, rest: Partial<MaskOptions> = {}) => mask(rest).hide(text)

describe('hiding who a student is', () => {
  it('hides the name whole, turned round, and in parts', () => {
    expect(hidden('Ada Diaz, DIAZ, ADA and Ada')).toBe('[STUDENT], [STUDENT 2] and [STUDENT 3]')
    expect(hidden('by adiaz7')).toBe('by [STUDENT]')
  })

  it('hides addresses and numbers, known or said to be the student’s', () => {
    expect(hidden('ada@school.example or x.y@z.org')).toBe('[EMAIL] or [EMAIL 2]')
    expect(hidden('4711123')).toBe('[NUMBER]')
    expect(hidden('Student ID: 99 88 77 66')).toBe('Student ID: [NUMBER]')
    expect(hidden('Matrikel-Nr. and matric no. 1234567')).toBe('Matrikel-Nr. and matric no. [NUMBER]')
  })

  it('leaves the numbers of an answer alone', () => {
    for (const text of ['x = 1234567', '12345678', 'number: 1234567', '6.02e23 and 299792458 m/s', '14711123'])
      expect(hidden(text)).toBe(text)
  })

  it('hides the name read on the paper', () => {
    expect(hidden('Ben Okoro thinks so', { private_words: [], name_on_paper: 'Ben Okoro' })).toBe('[STUDENT] thinks so')
  })

  it('leaves words alone that are no names, or the key’s', () => {
    const rose = { private_words: ['Rose Newton'], publicText: 'Say what Newton’s law is.' }
    expect(hidden('A rose. Rose and Newton knew. Rose Newton', rose)).toBe('A rose. Rose and Newton knew. [STUDENT]')
    expect(hidden('diazepam and nomad', {})).toBe('diazepam and nomad')
  })

  it('shows what it hid, each thing as it was', () => {
    const one = mask()
    const text = 'Ada Diaz (4711123, student no. 555 666 77), ada@school.example and Ada'
    expect(one.hide(text)).not.toMatch(/Ada|Diaz|4711123|555|@/)
    expect(one.reveal(one.hide(text))).toBe(text)
    expect(one.reveal('[STUDENT 9]')).toBe('[STUDENT 9]')
  })

  it('takes names for words, whatever they are made of', () => {
    expect(hidden('C++ (x|y)', { private_words: ['C++ (x|y)', '', '  ', '.*'] })).not.toBe('')
    expect(hidden('anything', { private_words: ['.*'] })).toBe('anything')
    expect(hidden('José Núñez-Ortiz', { private_words: ['José Núñez-Ortiz'] })).toBe('[STUDENT]')
  })

  it('hides names in scripts without spaces anywhere, but no words of the key', () => {
    expect(hidden('我叫王伟,今年十岁', { private_words: ['王伟'] })).toBe('我叫[STUDENT],今年十岁')
    expect(hidden('김민수는 말했다', { private_words: ['김민수'] })).toBe('[STUDENT]는 말했다')
    expect(hidden('田中太郎と田中です', { private_words: ['田中 太郎'] })).toBe('[STUDENT]と[STUDENT 2]です')
    expect(hidden('光合作用', { private_words: ['光合'], publicText: '什么是光合作用?' })).toBe('光合作用')
  })

  it('hides a name with other accents or none, in one letter or two', () => {
    const jose = { private_words: ['José García'] }
    expect(hidden('Jose Garcia; JOSE; García and Garcìa', jose)).toBe(
      '[STUDENT]; [STUDENT 2]; [STUDENT 3] and [STUDENT 4]',
    )
    expect(hidden('José García'.normalize('NFD'), jose)).toBe('[STUDENT]')
    expect(hidden('José', { private_words: ['Jose Garcia'] })).toBe('[STUDENT]')
    expect(hidden('Mueller and Muller', { private_words: ['Jan Müller'] })).toBe('[STUDENT] and [STUDENT 2]')
    expect(hidden('The end', { private_words: ['Anna Thé'] })).toBe('The end')
  })
})
