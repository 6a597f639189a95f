import { randomInt } from 'node:crypto'
import { isDuplicateKeyError } from '../../lib/database/database.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'

/** Of numbers with three digits, or as many as leave at least half of them free: the last one drawn tells as little as the first. */
const FEWEST_DIGITS = 3

/** Unused paper numbers of an assignment, in random order. Another process may draw the same: the unique index lets one of them in. */
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

/** Gives a number to each paper that has none, as papers from before there were numbers. */
export async function numberAllPapers(assignmentId: number): Promise<void> {
  for (;;) {
    const without = await SubmissionModel.find(
      { assignment_id: assignmentId, paper_number: { $exists: false } },
      { _id: 1 },
    ).lean()
    if (without.length === 0) return
    const numbers = await drawPaperNumbers(assignmentId, without.length)
    try {
      await SubmissionModel.bulkWrite(
        without.map(({ _id }, i) => ({
          updateOne: {
            filter: { _id, paper_number: { $exists: false } },
            update: { $set: { paper_number: numbers[i] ?? 0 } },
          },
        })),
        { ordered: false, timestamps: false },
      )
    } catch (error) {
      // Another paper has taken one of the numbers in the meantime: its own are drawn again.
      if (!isDuplicateKeyError(error)) throw error
    }
  }
}
