/**
 * Draws the demo course into a folder, with a `demo.json` that describes the files. The server runs this in a separate process at first
 * start, so that drawing scans does not block requests.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { biologyQuiz } from './demo-biology.ts'
import { drawDemo } from './demo-course.ts'
import { forcesExam } from './demo-forces.ts'
import { demoStudents } from './demo-students.ts'

const folder = process.argv[2]
if (!folder) throw new Error('usage: draw-demo.ts FOLDER')

const assignments = []
for (const [i, assignment] of [biologyQuiz, forcesExam].entries()) {
  const home = join(folder, String(i))
  await mkdir(home, { recursive: true })
  const demo = await drawDemo(assignment)
  const put = async (file: { fileName: string; bytes: Buffer }) => {
    const path = join(home, file.fileName)
    await writeFile(path, file.bytes)
    return { name: file.fileName, path }
  }
  const papers = []
  for (const paper of demo.papers) papers.push(await put(paper))
  assignments.push({
    title: assignment.title,
    blank: await put(demo.blank),
    key: await put(demo.key),
    papers,
  })
}
await writeFile(join(folder, 'demo.json'), JSON.stringify({ students: demoStudents, assignments }))
