import { randomInt } from 'node:crypto'
import { unlessDuplicate } from '../../lib/database/database.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'

/** Three, or as many as leave half of the numbers free, so that the last one drawn reveals as little as the first. */
const FEWEST_DIGITS = 3

/** In random order. Another process may draw the same: the unique index admits one of them. */
export async function drawPaperNumbers(assignmentId: number, count: number): Promise<number[]> {
  const used = new Set<number>(await SubmissionModel.distinct('paper_number', { assignment_id: assignmentId }))
  let digits = FEWEST_DIGITS
  while (9 * 10 ** (digits - 1) < 2 * (used.size + count)) digits++
  const drawn: number[] = []
  while (drawn.length < count) {
    const number = randomInt(10 ** (digits - 1), 10 ** digits)
    if (used.has(number)) continue
    used.add(number)
    drawn.push(number)
  }
  return drawn
}

/** Papers from before there were numbers have none. */
export async function numberAllPapers(assignmentId: number): Promise<void> {
  for (;;) {
    const without = await SubmissionModel.find(
      { assignment_id: assignmentId, paper_number: { $exists: false } },
      { _id: 1 },
    ).lean()
    if (without.length === 0) return
    const numbers = await drawPaperNumbers(assignmentId, without.length)
    // Where another paper has taken one of the numbers in the meantime, they are drawn again.
    await unlessDuplicate(
      SubmissionModel.bulkWrite(
        without.map(({ _id }, i) => ({
          updateOne: {
            filter: { _id, paper_number: { $exists: false } },
            update: { $set: { paper_number: numbers[i] ?? 0 } },
          },
        })),
        { ordered: false, timestamps: false },
      ),
    )
  }
}
