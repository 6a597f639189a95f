import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import type { ClassAnswers, GradeContext, LaidSubmission, SuggestedGrade } from '../grader.ts'
import { settledOn } from '../settled.ts'
import { chooseExamples } from './choose-examples.ts'
import { classWords } from './class-words.ts'
import { cutPictures } from './cut-pictures.ts'
import type { Mask } from './mask.ts'
import { oddSentences } from './odd-sentences.ts'
import type { AskedQuestion } from './prompt.ts'
import { rubricWords } from './rubric-words.ts'
import { needsModel } from './who-judges.ts'

export interface ToPrepare {
  /** Only the questions to grade. */
  rubric: Rubric
  laid: LaidSubmission
  id: number
  everyone: ClassAnswers
  byRules: SuggestedGrade
  context: GradeContext
  mask: Mask
  /** Absent where the model is not to see pages. */
  see: GradeContext['picture'] | undefined
}

/** The questions of a paper that are worth a model's answer, masked, with examples and pictures. */
export async function prepareQuestions(what: ToPrepare): Promise<AskedQuestion[]> {
  const { rubric, laid, id, everyone, byRules, context, mask, see } = what
  const kept = rubricWords(rubric)
  const asked: AskedQuestion[] = []
  for (const question of rubric.questions) {
    const answer = laid.answers.find((one) => one.question_id === question.id)
    const rules = byRules.criteria.filter((one) => one.question_id === question.id)
    if (isSettled(question, id, context)) continue
    if (!needsModel(question, answer, rules, see !== undefined)) continue
    context.signal?.throwIfAborted()
    // What was typed needs no picture, unless it was drawn.
    const look = see && (answer.reading < 1 || question.kind === 'drawing')
    const text = mask.hide(answer.text)
    const tells = mask.telling(answer.evidence.map(({ quote }) => quote))
    const telling = answer.evidence.filter((_, line) => tells.has(line))
    asked.push({
      // A teacher's notes may speak of a student.
      question: question.notes ? { ...question, notes: mask.hide(question.notes) } : question,
      text,
      reading: answer.reading,
      examples: await chooseExamples(question, id, everyone, context, kept),
      pictures: look ? await cutPictures(question, answer, see, telling) : [],
      odd: oddSentences(question, text, classWords(everyone, question.id, id)),
    })
  }
  return asked
}

/**
 * Where the teacher decided on all of a question, no answer is paid for, unless it is asked for by name: then there is something new
 * to judge, like words that were read wrongly.
 */
export function isSettled(question: Question, id: number, { anchors, only }: GradeContext): boolean {
  const settled = settledOn(id, anchors)
  return (
    !only?.has(question.id) && question.criteria.every((criterion) => settled[criterion.id] !== undefined)
  )
}
