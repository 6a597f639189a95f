import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Judgement } from '../exact/judgement.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { ExtractedSubmission, ReviewReason, SuggestedCriterion } from '../grader.ts'
import { LOW_READING_CONFIDENCE, lowConfidenceReasons } from '../scoring/low-confidence.ts'
import { runsOf } from '../text/keyword-stuffing.ts'
import { wordsOf } from '../text/terms.ts'

export interface JudgedCriterion {
  suggestion: SuggestedCriterion
  judgement: Judgement
}

/** In the order a teacher would want to hear it. */
export function reviewReasons(
  rubric: Rubric,
  extracted: ExtractedSubmission,
  judged: JudgedCriterion[],
): ReviewReason[] {
  const reasons: ReviewReason[] = [...extracted.warnings]
  const suggested = judged.map(({ suggestion }) => suggestion)
  const unsure = lowConfidenceReasons(rubric, suggested)
  const copied = createCopiedKeyFinder(rubric)
  const empty = extracted.warnings.some((warning) => warning.code === 'nothing_written')
  // A paper of another assignment lacks everything.
  const elsewhere =
    extracted.warnings.some(({ code }) => code === 'other_assignment') && extracted.answers.every(({ found }) => !found)
  const scanned = extracted.answers.some((answer) => answer.reading < 1)
  for (const question of rubric.questions) {
    const answer = extracted.answers.find((one) => one.question_id === question.id)
    const own = judged.filter(({ suggestion }) => suggestion.question_id === question.id)
    const remarked = (remark: Judgement['remarks'][number]) =>
      own.some(({ judgement }) => judgement.remarks.includes(remark))
    const place = { question_id: question.id, evidence: answer?.evidence.slice(0, 4) ?? [] }
    const say = (code: ReviewReason['code'], message: string) => reasons.push({ code, message, ...place })
    // Doubt within an answer matters only as far as it puts the total in doubt.
    const isDoubtful = unsure.some(({ question_id }) => question_id === question.id)
    const doubt = (code: ReviewReason['code'], message: string) => isDoubtful && say(code, message)
    const name = `question ${question.number}`
    const hardToRead = (reading: number) => `The answer to ${name} was hard to read (${Math.round(reading * 100)} %).`
    if (remarked('cannot_judge')) {
      const what = question.kind === 'drawing' ? 'a drawing' : 'an essay or a proof'
      say(
        'cannot_judge',
        `Question ${question.number} asks for ${what}, which this grader cannot grade. It has no points until you grade it.`,
      )
      continue
    }
    if (own.length > 0 && own.every(({ judgement }) => judgement.remarks.includes('as_decided'))) continue
    if (!answer?.found) {
      if (!elsewhere) say('answer_not_found', `Couldn’t find ${name} on this paper.`)
      continue
    }
    if (remarked('no_key')) say('no_expected_answer', `The key has no answer to ${name}, so it was not graded.`)
    if (answer.text.trim() === '') {
      // Scans may hide faint writing. Answer sheets have their own reason.
      if (!empty && scanned && !answer.seen && !answer.sheet)
        doubt('nothing_written', `Nothing is written for ${name}.`)
      continue
    }
    const unreadable = answerState(answer) === 'unreadable'
    if (unreadable && own.every(({ suggestion }) => suggestion.score !== null)) continue
    if (unreadable) say('poor_reading', `The answer to ${name} was not read. Grade it by hand.`)
    else if (answer.reading < LOW_READING_CONFIDENCE) doubt('poor_reading', hardToRead(answer.reading))
    if (unreadable) continue
    if (answer.evidence.length === 0) say('evidence_missing', `The answer to ${name} could not be located on the page.`)
    if (remarked('keyword_list'))
      say('keyword_list', `The answer to ${name} lists keywords of the key without forming an answer.`)
    if (remarked('copied_key')) say('copied_key', `The answer to ${name} repeats the key word for word.`)
    const other = copied(question.id, answer.text)
    if (other !== null) say('copied_key', `The answer to ${name} repeats the key of question ${other} word for word.`)
    if (remarked('unclear')) doubt('low_confidence', `It is not clear what the answer to ${name} is.`)
  }
  return empty ? reasons : [...reasons, ...unsure]
}

/** A run too long for chance, and the share of a key's runs that must be there. */
const RUN = 5
const SHARE = 0.8
const SHORTEST_KEY = 14

/** The number of the question whose key was copied: who knew one may have known all. */
function createCopiedKeyFinder(rubric: Rubric): (questionId: string, text: string) => string | null {
  let keys: { id: string; number: string; runs: string[] }[] | undefined
  return (questionId, text) => {
    const runs = new Set(runsOf(wordsOf(text), RUN))
    if (runs.size <= SHORTEST_KEY - RUN) return null
    keys ??= keysOf(rubric)
    const own = new Set(keys.filter(({ id }) => id === questionId).map((key) => key.runs.join()))
    const found = keys.find(
      (key) =>
        key.id !== questionId &&
        !own.has(key.runs.join()) &&
        key.runs.filter((run) => runs.has(run)).length >= key.runs.length * SHARE,
    )
    return found?.number ?? null
  }
}

function keysOf(rubric: Rubric): { id: string; number: string; runs: string[] }[] {
  return rubric.questions.flatMap(({ id, number, criteria }) =>
    criteria
      .flatMap((criterion) => [criterion.expected, ...criterion.alternatives])
      .map((key) => ({ id, number, runs: runsOf(wordsOf(key), RUN) }))
      .filter(({ runs }) => runs.length > SHORTEST_KEY - RUN),
  )
}
