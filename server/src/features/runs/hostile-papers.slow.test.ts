import { listSubmissions } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { watchMemory } from '../../../../tests/bench/process-tree.ts'
import { hostileFiles } from '../../../../tests/papers/hostile-files.ts'
import { buildAssignment, buildCourse, correctAnswers, drawPaper, gradeAssignment } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

// The default leaves room for slow machines.
const { api, server } = useTestApi({ READING_SECONDS_PER_PAGE: '15' })

const kinds = [
  'header-only',
  'half',
  'locked',
  'thousand-pages',
  'claims-a-million-pages',
  'page-tree-loop',
  'garbage-xref',
  'flate-bomb',
  'text-bomb',
  'picture-bomb',
  'launches-a-program',
]

it('grades the honest paper among hostile ones, gives each of these a message, and stays up under 2 GB', async () => {
  const { instructor } = await buildCourse(api)
  // The others are in `papers/reading/hostile-files.slow.test.ts`.
  const taken = await Promise.all(
    hostileFiles
      .filter(({ name }) => kinds.includes(name))
      .map(async ({ name, create }) => ({ name: `${name}.pdf`, bytes: await create() })),
  )
  expect(taken).toHaveLength(kinds.length)
  const honest = { name: 'honest.pdf', bytes: await drawPaper({ full_name: 'Honest' }, correctAnswers) }
  const { assignmentId } = await buildAssignment(api, { instructor }, [...taken, honest])

  const peak = watchMemory(50)
  const run = await gradeAssignment(api, instructor, assignmentId)
  expect(peak()).toBeLessThan(2048)

  expect(run).toMatchObject({ status: 'completed', total: taken.length + 1, stopped: 0 })
  expect(run.graded + run.failed).toBe(taken.length + 1)
  const rows = await api.as(instructor).send(listSubmissions, { params: { assignmentId }, query: { limit: 500 } })
  for (const row of rows.body.filter(({ status }) => status === 'failed')) {
    expect(row.failure?.message).toMatch(/^(This|Reading this) (PDF|file) .*(upload|contact)/)
    expect(row.failure?.code).not.toBe('grader_failed')
  }
  expect(rows.body.at(-1)).toMatchObject({ file_name: 'honest.pdf', status: 'graded' })
  for (const [name, code] of [
    ['locked', 'encrypted'],
    ['header-only', 'damaged'],
    ['thousand-pages', 'too_many_pages'],
  ]) {
    const row = rows.body.find(({ file_name }) => file_name.startsWith(name ?? ''))
    expect([name, row?.failure?.code]).toEqual([name, code])
  }
  expect((await fetch(`${server.running.url}/readyz`)).status).toBe(200)
}, 300_000)
