import { expect, it } from 'vitest'
import { readImports } from '../testing/read-imports.ts'

/** Each room imports only from earlier lines, and the interface `grader.ts`. */
const layers = [
  ['text', 'layout', 'llm'],
  ['exact', 'anonymizer', 'extraction', 'scoring'],
  ['rubric', 'grouping', 'selection', 'similarity', 'agreement'],
  ['llm-grading', 'offline', 'transcribe'],
]
const layerOf = (room: string) => layers.findIndex((rooms) => rooms.includes(room))

const imports = (await readImports(import.meta.dirname)).flatMap(({ from, to, values }) =>
  to === null ? [] : [{ from, to, typesOnly: values.length === 0 }],
)
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
