/**
 * `node tests/adversarial/false-positives.ts FOLDER`: how often honest answers are flagged, of `.jsonl` files with
 * `question`, `reference_answer` and `student_answer` per line.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { findPromptInjections } from '../../server/src/grader/extraction/injection/prompt-injection.ts'
import { isCopiedKey, isKeywordList, isRepeatedPrompt } from '../../server/src/grader/text/keyword-stuffing.ts'

const Row = z.object({ question: z.string(), reference_answer: z.string(), student_answer: z.string() })
const folder = process.argv[2]
if (!folder) throw new Error('usage: false-positives.ts FOLDER')
for (const name of (await readdir(folder)).filter((one) => one.endsWith('.jsonl')).sort()) {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line.trim() !== '')
  const rows = lines.map((line) => Row.parse(JSON.parse(line)))
  const started = performance.now()
  const instructions = rows.filter((row) => findPromptInjections(row.student_answer).length > 0)
  const ms = performance.now() - started
  const lists = rows.filter((row) => isKeywordList(row.student_answer, row.reference_answer))
  const copies = rows.filter((row) => isCopiedKey(row.student_answer, row.reference_answer))
  const repeated = rows.filter((row) => isRepeatedPrompt(row.student_answer, row.question, [row.reference_answer]))
  console.log(
    `${name}: ${rows.length} answers; instructions ${instructions.length}, keyword lists ${lists.length}, copied keys ${copies.length}, repeated questions ${repeated.length}; ${(ms / rows.length).toFixed(2)} ms an answer`,
  )
  for (const row of [...instructions, ...lists, ...copies, ...repeated].slice(0, 12))
    console.log(`   ${row.student_answer.slice(0, 140).replace(/\s+/g, ' ')}`)
}
