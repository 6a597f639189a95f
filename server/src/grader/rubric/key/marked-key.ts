import type { Paper } from '@assay/shared/papers.ts'
import { markedAmong } from '../../extraction/ink/marked-options.ts'
import { findSetOffOptions } from '../../extraction/ink/set-off-options.ts'
import { type OptionRegion, optionRegions } from '../../layout/option-regions.ts'
import type { PrintedQuestion } from '../../layout/printed-question.ts'

interface Place {
  question: string
  place: OptionRegion
}

/**
 * The options a key marks in the blank's own print: ringed, ticked, or set off in bold, colour, highlight or underline. By question, as
 * the options are named.
 */
export function readMarkedKey(questions: readonly PrintedQuestion[], blank: Paper, key: Paper): Map<string, string> {
  const places = questions.flatMap((question): Place[] => {
    const truth = optionRegions(question, 'true_false', '', blank)
    const own = truth.length > 0 ? truth : optionRegions(question, 'choice', '', blank)
    return own.map((place) => ({ question: question.id, place }))
  })
  const found = new Map<string, string>()
  for (const [question, { values }] of markedAmong(places, blank, key)) found.set(question, values.join(', '))
  for (const [question, { values }] of findSetOffOptions(places, blank, key))
    if (!found.has(question)) found.set(question, values.join(', '))
  return found
}
