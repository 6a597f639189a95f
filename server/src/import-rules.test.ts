import path from 'node:path'
import { expect, it } from 'vitest'
import { type Import, importCircles, readImports } from './testing/read-imports.ts'

const imports = await readImports(import.meta.dirname)

const show = ({ from, specifier, values }: Import) =>
  `${from} must not import ${values.length > 0 ? values.join(', ') : 'types'} from ${specifier}`

/** Lowest first; `siblings` says which imports a line allows within itself. */
const layers = [
  ['lib'],
  ['cluster'],
  ['embedded', 'papers', 'grader', 'records', 'audit'],
  ['features'],
  ['maintenance', 'migrations'],
]
const siblings: Record<string, string[]> = { grader: ['papers'], records: ['grader'], audit: ['records'] }
/** What starts a process and puts it together. */
const COMPOSITION = layers.length

function layerOf(file: string): number {
  const folder = folderOf(file)
  const layer = layers.findIndex((folders) => folders.includes(folder))
  return layer === -1 ? COMPOSITION : layer
}

const folderOf = (file: string) => file.split('/')[0] ?? ''

/** Features take these types; the values are made at the top. */
const SHAPES = ['services.ts', 'config.ts']

function breaksLayers({ from, to, values }: Import): boolean {
  if (to === null || (SHAPES.includes(to) && values.length === 0 && layerOf(from) >= layerOf('features'))) return false
  const [here, there] = [folderOf(from), folderOf(to)]
  if (layerOf(from) === COMPOSITION || here === there) return false
  if (layerOf(from) === layerOf(to)) return !siblings[here]?.includes(there)
  return layerOf(from) < layerOf(to)
}

it('layers import downwards only', () => {
  expect(imports.filter(breaksLayers).map(show)).toEqual([])
})

/** Who may query which records, by the longest prefix; types are free. */
const recordOwners: Record<string, string | string[]> = {
  'people/user': 'users',
  'people/session': 'auth',
  'people/sign-in-failure': 'auth',
  'people/mailed-link': 'auth',
  'courses/course': 'courses',
  'courses/pending-enrollment': ['courses', 'roster'],
  'courses/roster-import': 'roster',
  'courses/invitation-count': 'roster',
  'assignments/assignment': 'assignments',
  'assignments/group': ['submissions', 'groups'],
  'assignments/print': 'intake',
  'assignments/reminder': 'submissions',
  'assignments/rubric': 'rubrics',
  'submissions/submission': 'submissions',
  'submissions/reading': 'submissions',
  'submissions/photo-draft': 'intake',
  'submissions/pen-mark': 'grades',
  'submissions/class-scan': 'intake',
  'submissions/transcription': 'transcriptions',
  'grading/grade': 'grades',
  'grading/retained-grade': ['grades', 'submissions'],
  'grading/regrade': 'regrades',
  'grading/rubric-item': 'grades',
  'grading/accuracy-check': 'accuracy',
  'grading/similarity-report': 'similarity',
  'grading/question-': 'questions',
  'grading/rubric-amendment': 'regrades',
  'grading/grade-approval': 'grades',
  'grading/run': 'runs',
  'grading/analytics': 'analytics',
  'llm/': 'llm',
  'lti/': 'lti',
  // `lti` asks `roster`, so a service of it would make a circle.
  'lti/identity': ['lti', 'roster'],
  'system/settings': 'admin',
  'system/demo-progress': 'admin',
}

const featureOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1] ?? null

function reachesIntoRecords({ from, to, values }: Import): boolean {
  const record = /^records\/(.+)\.model\.ts$/.exec(to ?? '')?.[1]
  const feature = featureOf(from)
  if (record === undefined || feature === null || values.length === 0) return false
  const [owner] = Object.keys(recordOwners)
    .filter((prefix) => record.startsWith(prefix))
    .sort((a, b) => b.length - a.length)
  return owner === undefined || ![recordOwners[owner]].flat().includes(feature)
}

it('features query their own records only, and ask each other’s services for the rest', () => {
  expect(imports.filter(reachesIntoRecords).map(show)).toEqual([])
})

const featureImports = async (folder: string) =>
  (await readImports(path.join(import.meta.dirname, '../..', folder))).flatMap(({ from, to }) => {
    const [here, there] = [featureOf(from), featureOf(to ?? '')]
    return here === null || there === null || here === there ? [] : [{ here, there, files: `${from} imports ${to}` }]
  })

it('features of the server import each other one way only', async () => {
  const pairs = Map.groupBy(await featureImports('server/src'), ({ here, there }) => `${here} ${there}`)
  const twoWay = [...pairs.values()].filter(([one]) => one && pairs.has(`${one.there} ${one.here}`))
  expect(twoWay.flat().map(({ files }) => files)).toEqual([])
})

it('features of the client import each other in no circle, on at most six floors', async () => {
  const found = await featureImports('client/src')
  expect(importCircles(found.map(({ here, there }) => ({ from: here, to: there })))).toEqual([])
  const floorOf = (feature: string): number =>
    1 + Math.max(0, ...found.filter(({ here }) => here === feature).map(({ there }) => floorOf(there)))
  expect(Math.max(...found.map(({ here }) => floorOf(here)))).toBeLessThanOrEqual(6)
})

/** What `lib` may know. */
const GENERAL_CONTRACT = ['http/endpoint.ts', 'http/errors.ts', 'users.ts', 'rules/limits.ts'].map(
  (file) => `@assay/shared/${file}`,
)

it('lib knows nothing of courses, LMSs, models or runs', () => {
  const contract = imports.filter(
    ({ from, specifier }) =>
      layerOf(from) === 0 && specifier.startsWith('@assay/shared/') && !GENERAL_CONTRACT.includes(specifier),
  )
  expect(contract.map(show)).toEqual([])
})

/** Types count too: two files that need each other's are one, or lack a third. Lazy imports do not. */
it.each(['shared/src', 'server/src', 'client/src', 'tests'])(
  'the files of %s import each other in no circle',
  async (folder) => {
    const all = await readImports(path.join(import.meta.dirname, '../..', folder))
    expect(all.length).toBeGreaterThan(30)
    expect(importCircles(all.filter(({ lazy }) => !lazy))).toEqual([])
  },
)
