/**
 * `npm run lms [-- --kind=moodle] [-- --port=3000]`: Assay and, on the next port, the fake LMS, registered with each
 * other. Both start empty, as the LMS stores nothing.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { endTogether, startServerProcess } from '../../server/src/testing/server-process.ts'
import { biologyQuiz } from '../papers/demo-biology.ts'
import { drawDemo } from '../papers/demo-course.ts'
import { demoStudents } from '../papers/demo-students.ts'
import type { Tool } from './data/records.ts'
import { type FakeLms, firstAdminPassword, registerWithProduct, startFakeLms } from './fake-lms.ts'
import { lmsKinds, ROLE } from './lms-kinds.ts'

const folder = fileURLToPath(new URL('../../data/lms', import.meta.url))
const papers = join(folder, 'papers')

const { values } = parseArgs({
  options: { kind: { type: 'string', default: 'canvas' }, port: { type: 'string', default: '3000' } },
})
const kind = Object.values(lmsKinds).find(({ name }) => name === values.kind)?.name
const port = Number(values.port)
if (!kind || !(port > 0 && port < 65_535)) {
  console.error('usage: npm run lms [-- --kind=canvas|moodle] [--port=3000]')
  process.exit(2)
}

function addDemoCourse(lms: FakeLms, tool: Tool): void {
  lms.addAdmin()
  const course = lms.addCourse({ label: 'BIO-8', title: 'Biology 8: cells and life' })
  const teacher = lms.addUser({ givenName: 'Grace', familyName: 'Whitfield', roles: [ROLE.institutionFaculty] })
  lms.enrol(course, teacher, 'Instructor')
  const assistant = lms.addUser({ givenName: 'Theo', familyName: 'Marsh', roles: [ROLE.institutionFaculty] })
  lms.enrol(course, assistant, 'TeachingAssistant')
  for (const { username, full_name, email } of demoStudents) {
    const [givenName = full_name, familyName = ''] = full_name.split(' ')
    const roles = [ROLE.institutionStudent]
    lms.enrol(course, lms.addUser({ username, givenName, familyName, email, roles }), 'Learner')
  }
  lms.addLink(course, { deployment: lms.deploymentOf(tool), title: biologyQuiz.title, scoreMaximum: 100 })
}

async function drawPapers(): Promise<void> {
  await mkdir(papers, { recursive: true })
  const { blank, key, papers: handedIn } = await drawDemo(biologyQuiz)
  for (const { fileName, bytes } of [blank, key, ...handedIn]) await writeFile(join(papers, fileName), bytes)
}

await rm(folder, { recursive: true, force: true })
const lms = await startFakeLms({ kind, port: port + 1 })
const product = await startServerProcess(folder, { PORT: String(port) })

endTogether(product, () => lms.close())

const tool = await registerWithProduct(lms, { url: product.url, dataDir: folder })
addDemoCourse(lms, tool)
await drawPapers()

console.log(`
  The LMS    ${lms.url}      in the manner of ${kind === 'canvas' ? 'Canvas' : 'Moodle'}; for the other: npm run lms -- --kind=${kind === 'canvas' ? 'moodle' : 'canvas'}
  Assay      ${product.url}      administrator: admin, ${await firstAdminPassword(folder)}

  1. Open the LMS, go on as Grace, a teacher, and open “${biologyQuiz.title}” in her course.
     Assay asks what the link is to be. Papers to upload are in ${relative(process.cwd(), papers)}.
  2. Grade and publish. The grades appear in the LMS’s gradebook.
  3. Go on as a student of the course, and open the same link.

  Both forget everything when they end: Ctrl+C.
`)
