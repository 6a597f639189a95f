import type { PreparedQuestion } from './grading-prompt.ts'

/** Longer requests make responses careless and failures expensive. */
const MAX_CRITERIA = 24
const MAX_LENGTH = 40_000
const MAX_PICTURES = 8

/** As few as possible, in order. */
export function batchQuestions(asked: readonly PreparedQuestion[]): PreparedQuestion[][] {
  const batches: PreparedQuestion[][] = []
  let room = { criteria: 0, letters: 0, pictures: 0 }
  for (const one of asked) {
    const size = {
      criteria: one.question.criteria.length,
      letters: lengthOf(one),
      pictures: one.pictures.length,
    }
    const last = batches.at(-1)
    if (last && room.criteria >= size.criteria && room.letters >= size.letters && room.pictures >= size.pictures)
      last.push(one)
    else {
      batches.push([one])
      room = { criteria: MAX_CRITERIA, letters: MAX_LENGTH, pictures: MAX_PICTURES }
    }
    room.criteria -= size.criteria
    room.letters -= size.letters
    room.pictures -= size.pictures
  }
  return batches
}

const lengthOf = ({ question, text, examples }: PreparedQuestion): number =>
  JSON.stringify(question).length + text.length + examples.reduce((sum, one) => sum + one.text.length, 0)
