import type { AskedQuestion } from './prompt.ts'

/** What goes into one question to a model: more makes answers careless and a broken one dear. */
const CRITERIA = 24
const LETTERS = 40_000
const PICTURES = 8

/** A paper in as few questions to a model as will do, in order. */
export function inBatches(asked: readonly AskedQuestion[]): AskedQuestion[][] {
  const batches: AskedQuestion[][] = []
  let room = { criteria: 0, letters: 0, pictures: 0 }
  for (const one of asked) {
    const size = {
      criteria: one.question.criteria.length,
      letters: lettersOf(one),
      pictures: one.pictures.length,
    }
    const last = batches.at(-1)
    if (
      last &&
      room.criteria >= size.criteria &&
      room.letters >= size.letters &&
      room.pictures >= size.pictures
    )
      last.push(one)
    else {
      batches.push([one])
      room = { criteria: CRITERIA, letters: LETTERS, pictures: PICTURES }
    }
    room.criteria -= size.criteria
    room.letters -= size.letters
    room.pictures -= size.pictures
  }
  return batches
}

const lettersOf = ({ question, text, examples }: AskedQuestion): number =>
  JSON.stringify(question).length + text.length + examples.reduce((sum, one) => sum + one.text.length, 0)
