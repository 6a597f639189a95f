import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const text = readFileSync(join(docs, 'conformance.md'), 'utf8')

interface Cited {
  path: string
  /** Parts of test names, of a test file. */
  names: string[]
}

/** A cell’s links, each with the quoted names that follow it. */
function readCell(cell: string): Cited[] {
  return [...cell.matchAll(/\[[^\]]*\]\(([^)]+)\)((?:,? ?"[^"]+")*)/g)].map(([, path = '', quoted = '']) => ({
    path,
    names: [...quoted.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  }))
}

const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (asked for|---)/.test(line))
  .map((line) => {
    const [asked = '', built = '', shown = '', ...more] = line.slice(2, -2).split(' | ')
    return { asked, built: readCell(built), shown: readCell(shown), more }
  })

describe('the table of conformance', () => {
  it('has for every line of the specification what builds it and a test that shows it', () => {
    expect(rows.length).toBeGreaterThan(150)
    const wanting = rows.filter(
      ({ asked, built, shown, more }) =>
        !asked || built.length === 0 || !shown.some(({ names }) => names.length > 0) || more.length > 0,
    )
    expect(wanting.map(({ asked }) => asked)).toEqual([])
  })

  it('names files that are there', () => {
    const paths = new Set(rows.flatMap(({ built, shown }) => [...built, ...shown].map(({ path }) => path)))
    expect([...paths].filter((path) => !existsSync(join(docs, path)))).toEqual([])
  })

  it('names tests that are there', () => {
    const lost = rows.flatMap(({ shown }) =>
      shown.flatMap(({ path, names }) => {
        const file = existsSync(join(docs, path)) ? readFileSync(join(docs, path), 'utf8') : ''
        return names.filter((name) => !file.includes(name)).map((name) => `${path}: ${name}`)
      }),
    )
    expect(lost).toEqual([])
  })
})
