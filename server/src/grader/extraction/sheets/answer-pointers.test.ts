import { describe, expect, it } from 'vitest'
import { readPointer } from '../assign-lines.ts'

describe('a text that says where its answer goes on', () => {
  it.each([
    ['It is warm. (continued on page 4)', 'It is warm.', 4],
    ['It is warm → p. 3', 'It is warm', 3],
    ['-> back', '', null],
    ['see back of page', '', null],
    ['see overleaf', '', null],
    ['PTO', '', null],
    ['P.T.O. →', '', null],
    ['and so on, cont. on next page', 'and so on,', null],
    ['Continued at the end', '', null],
    ['see the attached sheet.', '', null],
    ['The rest is on the other side', '', null],
    ['… answer on extra paper', '…', null],
  ])('“%s” leaves “%s”', (text, before, page) => {
    expect(readPointer(text)).toEqual({ before, page })
  })

  it.each([
    'The river flows over the rock.',
    'We can see the end of the valley clearly.',
    'A -> B',
    'N2 + 3H2 -> 2NH3',
    'She turned back.',
    'It continues to grow.',
    'The ball goes over',
    'The story continues on the last page',
    'Most people turn to the other side',
  ])('“%s” does not', (text) => {
    expect(readPointer(text)).toBeNull()
  })
})
