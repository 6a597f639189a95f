import type { Question } from '@assay/shared/rubrics.ts'

const ASKS_FOR_SOME =
  /\b(?:name|give|state|list|identify|outline|describe|suggest|explain|mention|write(?:\s+down)?)\s+(?:any\s+)?(two|three|four|five|[2-5])\b/i
const NUMBERS = ['one', 'two', 'three', 'four', 'five']
const LETTER = /^\W*[A-Ja-j]\W*$/
/** So many letters in a row answer by letter, whatever is asked. */
const LEAST_LETTERS = 3

/** What kinds of answers questions have is told by the key, and by the questions around them. */
export function refineQuestionKinds(questions: Question[]): void {
  for (const question of questions) takeAsPool(question)
  let run: Question[] = []
  for (const question of [...questions, null]) {
    const [only, second] = question?.criteria ?? []
    if (question && only && !second && LETTER.test(only.expected)) run.push(question)
    else {
      // “Write the letter of its description beside each word.”
      if (run.length >= LEAST_LETTERS) for (const one of run) if (one.kind === 'text') one.kind = 'choice'
      run = []
    }
  }
}

/** “Give two reasons” with more than two in the key: any two of them will do. */
function takeAsPool(question: Question): void {
  const [only, second] = question.criteria
  if (question.kind !== 'text' || !only || second || /^any \w+ of: /.test(only.expected)) return
  const asked = ASKS_FOR_SOME.exec(question.prompt)?.[1]?.toLowerCase()
  if (!asked) return
  const count = NUMBERS.indexOf(asked) + 1 || Number(asked)
  const members = only.expected
    .replace(/[.\s]+$/, '')
    .split(/\s*;\s*/)
    .filter((member) => member !== '')
  if (members.length <= count) return
  only.expected = `any ${NUMBERS[count - 1]} of: ${members.join('; ')}`
  question.kind = 'set'
}
