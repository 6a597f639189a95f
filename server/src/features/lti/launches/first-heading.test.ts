import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { afterAll, expect, it } from 'vitest'
import {
  buildLaunchedAssignment,
  launchToHandoff,
  setUpCourse,
  useRegisteredLms,
} from '../../../testing/registered-lms.ts'
import { useTestApi } from '../../../testing/server.ts'

const clientFolder = mkdtempSync(join(tmpdir(), 'assay-client-'))
const sheet = '<link rel="stylesheet" href="/assets/a.css">'
const script = '<script>const askedFirst = 1</script>'
writeFileSync(
  join(clientFolder, 'index.html'),
  `<html><head>${script}${sheet}</head><body><div id="root">The client</div></body></html>`,
)
afterAll(() => rmSync(clientFolder, { recursive: true }))

const { api, server } = useTestApi({}, { clientFolder })
const school = useRegisteredLms(server)

it('a launch’s first page has its heading before any script or style sheet, for the browser that launched alone', async () => {
  const room = await setUpCourse(school(), 2)
  const { link, teacher } = room
  const [student, other] = room.students
  if (!student || !other) throw new Error('two students')
  const headingFor = async (handoff: Awaited<ReturnType<typeof launchToHandoff>>, cookies?: Record<string, string>) => {
    const reply = await handoff.openPage(cookies)
    const [, heading = null] = /<main class="first-heading".*?><h1>(.*?)<\/h1>/.exec(await reply.clone().text()) ?? []
    return { heading, caching: reply.headers.get('cache-control'), html: await reply.text() }
  }
  const as = (person: typeof student) => launchToHandoff(school(), { as: person, link })
  expect(await headingFor(await as(teacher))).toMatchObject({ heading: room.course.title, caching: 'no-store' })

  const { assignmentId } = await buildLaunchedAssignment(api, room)
  const caller = room.teacherLaunch.caller
  const name = 'Cells & <b>tissues</b>'
  await caller.send(updateAssignment, { params: { assignmentId }, body: { name } })
  expect((await headingFor(await as(student))).heading).toBeNull()
  await caller.send(publishAssignment, { params: { assignmentId } })
  const heading = 'Cells &amp; &lt;b&gt;tissues&lt;/b&gt;'
  const handoff = await as(student)
  const shown = await headingFor(handoff)
  expect(shown).toMatchObject({ heading, caching: 'no-store' })
  for (const later of [script, sheet]) expect(shown.html.split('first-heading').at(-1)).toContain(later)
  expect((await headingFor(await as(teacher))).heading).toBe(heading)

  const nobodys = { heading: null, caching: 'no-cache' }
  expect(await headingFor(handoff, {})).toMatchObject(nobodys)
  const { headers } = await as(other)
  expect(await headingFor(handoff, headers)).toMatchObject(nobodys)
})
