import { describe, expect, it } from 'vitest'
import { createMask, type MaskOptions } from './mask.ts'
import { createNameBook } from './name-book.ts'

const others = createNameBook([
  ['Maria Okoro', 'mokoro3', 'maria.okoro@school.example', '88123456'],
  ['Rose King'],
  ['Will Young', 'will.young'],
  ['Mark Carson'],
  ['Jan Müller'],
  ['Isaac Newton'],
  ['Ana Belén García López'],
  ['李小龙'],
])
const mask = (rest: Partial<MaskOptions> = {}) =>
  createMask({
    private_words: ['Ada Lovelace', 'ada7'],
    name_on_paper: null,
    publicText: '',
    otherNames: others,
    ...rest,
  })
const hidden = (text: string, rest: Partial<MaskOptions> = {}) => mask(rest).hide(text)

describe('hiding other students', () => {
  it.each([
    ['I worked with Maria Okoro.', 'I worked with [STUDENT].'],
    ['okoro, maria and MARIA Okoro', '[STUDENT] and [STUDENT 2]'],
    ['M. Okoro and Okoro, M. and Maria O. said', '[STUDENT] and [STUDENT 2]. and [STUDENT 3]. said'],
    ['as Maria\nOkoro wrote', 'as [STUDENT] wrote'],
    ['Okoro says so, and Maria’s model', '[STUDENT] says so, and [STUDENT 2]’s model'],
    ['mokoro3 or MariaOkoro, 8812 3456', '[STUDENT] or [STUDENT 2], [NUMBER]'],
    ['Rose King and Mueller, Jan; Ana Lopez', '[STUDENT] and [STUDENT 2]; [STUDENT 3]'],
    ['R. King, and Rose K. too', '[STUDENT], and [STUDENT 2]. too'],
    ['我和李小龙一起', '我和[STUDENT]一起'],
  ])('hides %s', (text, expected) => {
    expect(hidden(text).replace(/\s+/g, ' ')).toBe(expected)
    const one = mask()
    expect(one.reveal(one.hide(text)).replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '))
  })

  it.each([
    'Mark the point. Will it float? A rose, a young king. Rose and Young are words.',
    'A. King Henry was the king.',
    'Newton found it, and Isaac Asimov wrote of it.',
    'maria is a word here, as is okoro', // no capital: nobody’s name alone
    'Carbon and carsons',
    'the will, young and old',
  ])('leaves “%s”', (text) => {
    expect(hidden(text)).toBe(text)
  })

  it('leaves what the task or the class speaks of, and a whole name the rubric names', () => {
    const kept = 'Who found gravity? Isaac Newton. What did Carson write?'
    expect(hidden('Isaac Newton did. Carson wrote. Okoro', { publicText: kept })).toBe(
      'Isaac Newton did. Carson wrote. [STUDENT]',
    )
    const shared = (word: string) => word === 'okoro'
    expect(hidden('The Okoro effect. Maria Okoro', { isSharedWord: shared })).toBe('The Okoro effect. [STUDENT]')
  })

  it('knows names that OCR misread, and takes no word for one', () => {
    const read = { ocr: true }
    expect(hidden('Ada Lovelaoe and Lovelacc', read)).toBe('[STUDENT] and [STUDENT 2]')
    expect(hidden('by L0velace', read)).toBe('by [STUDENT]')
    expect(hidden('with Mar1a Okcro', read)).toBe('with [STUDENT]')
    for (const text of ['Carbon dioxide', 'Market careen', 'Love lace and a lake', 'Martian rock'])
      expect(hidden(text, read)).toBe(text)
    expect(hidden('Lovelaoe')).toBe('Lovelaoe')
  })

  it('is not led astray by what looks like a token, nor by a student of that name', () => {
    const student = mask({ private_words: ['Test Student'] })
    const text = 'Test Student wrote [STUDENT 2] and [EMAIL], Maria Okoro'
    expect(student.hide(text)).not.toMatch(/Test|Maria|\[\[/)
    expect(student.reveal(student.hide(text))).toBe(text)
  })

  it('says which lines tell, a name over two lines in both', () => {
    expect([...mask().identifyingLines(['as Rose', 'King said', 'ice floats', 'Ada'])]).toEqual([0, 1, 3])
  })

  it('hides single names only on request', () => {
    expect(hidden('Okoro and Maria Okoro, by Ada', { matchOthersSingleNames: false })).toBe(
      'Okoro and [STUDENT], by [STUDENT 2]',
    )
  })

  it('takes a large course in its stride', () => {
    const many = createNameBook(
      Array.from({ length: 5000 }, (_, i) => [`Given${spell(i)} Family${spell(i * 7)}`, `user${i}`]),
    )
    const text = `${'Ice is less dense than Water because of Given Lattices. '.repeat(40)}Given${spell(4321)} Family${spell(4321 * 7)}`
    const one = createMask({ private_words: [], name_on_paper: null, publicText: '', otherNames: many, ocr: true })
    expect(one.hide(text)).toMatch(/Lattices\. \[STUDENT\]$/)
  })
})

const spell = (n: number): string => [...String(n)].map((digit) => 'bcdfghklmn'[Number(digit)]).join('a')
