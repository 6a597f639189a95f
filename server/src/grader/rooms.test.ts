import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Each room imports only from earlier lines, and the interface `grader.ts`. */
const layers = [
  ['text', 'layout', 'llm'],
  ['exact', 'anonymizer', 'extraction', 'scoring'],
  ['rubric'],
  ['llm-grading', 'offline', 'transcribe'],
]
const layerOf = (room: string) => layers.findIndex((rooms) => rooms.includes(room))

const imports: { from: string; to: string; typesOnly: boolean }[] = []
for await (const from of glob('**/*.ts', { cwd: import.meta.dirname })) {
  if (from.endsWith('.test.ts') || from.includes('testing/')) continue
  const source = readFileSync(path.join(import.meta.dirname, from), 'utf8')
  for (const [, types, to = ''] of source.matchAll(/^(?:import|export) (type )?[^;'"`]*?from '(\.[^']+)'/gm))
    imports.push({ from, to: path.posix.join(path.posix.dirname(from), to), typesOnly: types !== undefined })
}
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : null)

it('the rooms of the grader import each other one way', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [here, there] = [roomOf(from), roomOf(to)]
    if (here === null || there === null || here === there || there === '..') return false
    return layerOf(there) === -1 || layerOf(there) >= layerOf(here)
  })
  expect(wrong).toEqual([])
})

it('the interface holds types only, and the LLM client does without it', () => {
  const wrong = imports.filter(
    ({ from, to, typesOnly }) => (from === 'grader.ts' && !typesOnly) || (roomOf(from) === 'llm' && to === 'grader.ts'),
  )
  expect(wrong).toEqual([])
})

it('the grader knows nothing of features, HTTP or Mongoose', () => {
  expect(imports.filter(({ to }) => to.startsWith('..') && !to.startsWith('../lib/'))).toEqual([])
})
