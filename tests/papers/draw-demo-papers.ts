/**
 * Run it to look at the demo course's papers, or to upload some by hand: `npm run papers [-- FOLDER]`. The default folder is
 * `data-papers`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { biologyQuiz } from './demo-biology.ts'
import { drawDemo } from './demo-course.ts'
import { forcesExam } from './demo-forces.ts'

const folder = process.argv[2] ?? 'data-papers'

for (const [name, assignment] of [
  ['biology', biologyQuiz],
  ['physics', forcesExam],
] as const) {
  const demo = await drawDemo(assignment)
  const home = join(folder, name)
  await mkdir(join(home, 'submissions'), { recursive: true })
  for (const file of [demo.blank, demo.key]) await writeFile(join(home, file.fileName), file.bytes)
  for (const file of demo.papers) await writeFile(join(home, 'submissions', file.fileName), file.bytes)
  console.log(`${home}: a blank, a key and ${demo.papers.length} papers`)
}
