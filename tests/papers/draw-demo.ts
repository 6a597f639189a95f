/**
 * Draws the demo course into a folder (`data-papers` by default), with a `demo.json` of its files; a first start runs
 * it in a process of its own so that requests are not blocked.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { biologyQuiz } from './demo-biology.ts'
import { drawDemo } from './demo-course.ts'
import { forcesExam } from './demo-forces.ts'
import { demoStudents } from './demo-students.ts'

const folder = process.argv[2] ?? 'data-papers'
const assignments = []
for (const [name, assignment] of [
  ['biology', biologyQuiz],
  ['physics', forcesExam],
] as const) {
  const home = join(folder, name)
  await mkdir(join(home, 'submissions'), { recursive: true })
  const demo = await drawDemo(assignment)
  const put = async ({ fileName, bytes }: { fileName: string; bytes: Buffer }, within = '') => {
    const path = join(home, within, fileName)
    await writeFile(path, bytes)
    return { name: fileName, path }
  }
  const papers = []
  for (const paper of demo.papers) papers.push(await put(paper, 'submissions'))
  assignments.push({ title: assignment.title, blank: await put(demo.blank), key: await put(demo.key), papers })
  console.log(`${home}: a blank, a key and ${papers.length} papers`)
}
await writeFile(join(folder, 'demo.json'), JSON.stringify({ students: demoStudents, assignments }))
