import { describe, expect, it } from 'vitest'
import { matchCode } from './code-match.ts'

const PROGRAM = 'Write a function total(prices) that adds up the prices above 10.'
const QUERY = 'A table Pets(name, kind, age). List the names of all dogs, oldest first.'

describe('a line of a program', () => {
  const shareOf = (line: string, program: string) => matchCode(line, program, PROGRAM).share

  it('is found by what it is for, whatever the variables are called', () => {
    const program =
      'def total(prices):\n    t = 0\n    for x in prices:\n        if x > 10:\n            t += x\n    return t'
    for (const line of ['def total(prices):', 'sum = 0', 'for p in prices:', 'if p > 10:\nsum += p', 'return sum'])
      expect(shareOf(line, program)).toBe(1)
  })

  it.each([
    ['def total(prices):', 'total = prices', 0],
    ['def total(prices):', 'def add(prices):', 0.5],
    ['sum = 0', 'def total(prices):\n  return 0', 0],
    ['sum = 0', 'sum = 1', 0.5],
    ['for p in prices:', 'def total(prices): return prices', 0],
    ['if p > 10:', 'if p and q or r:', 0.5],
    ['return sum', 'print(sum)', 0],
    ['for p in prices:', 'def total(prices):\n  return sum(filter(big, prices))', 0.75],
  ])('“%s” in “%s” earns %d', (line, program, share) => {
    expect(shareOf(line, program)).toBe(share)
  })

  it.each([
    ["WHERE kind = 'dog'", 'select name from pets where kind = "dog"', 1],
    ["WHERE kind = 'dog'", "SELECT name FROM Pets WHERE kind = 'cat'", 0],
    ['SELECT name FROM Pets', 'SELECT * FROM Pets', 0],
    ['ORDER BY age DESC', "SELECT name FROM Pets WHERE kind = 'dog' ORDER BY age desc;", 1],
    ['ORDER BY age DESC', 'SELECT name FROM Pets ORDER BY age', 0],
  ])('“%s” in the query “%s” earns %d', (line, query, share) => {
    expect(matchCode(line, query, QUERY).share).toBe(share)
  })
})
