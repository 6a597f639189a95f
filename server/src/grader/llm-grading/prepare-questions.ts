import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import type { Mask } from '../anonymizer/mask.ts'
import type { ClassAnswers, ExtractedSubmission, GradeContext, SuggestedGrade } from '../grader.ts'
import { rubricText } from '../rubric/rubric-text.ts'
import { teacherScoresFor } from '../scoring/teacher-scores.ts'
import { earlierAnswers } from './carried-forward.ts'
import { classVocabulary } from './checks/class-vocabulary.ts'
import { outlierSentences } from './checks/outlier-sentences.ts'
import { chooseExamples } from './choose-examples.ts'
import { cropAnswerPictures } from './crop-answer-pictures.ts'
import { needsLlm, needsPicture } from './needs-llm.ts'
import type { PreparedQuestion } from './prompt/grading-prompt.ts'

interface PreparationInput {
  /** Only the questions to grade. */
  rubric: Rubric
  /** All of the paper's. */
  questions: readonly Question[]
  extracted: ExtractedSubmission
  id: number
  everyone: ClassAnswers
  byRules: SuggestedGrade
  context: GradeContext
  mask: Mask
  /** Absent where the LLM may not see pages. */
  pagePicture: GradeContext['pagePicture'] | undefined
}

/** The questions of a paper that need an LLM, masked, with examples and pictures. */
export async function prepareQuestions(what: PreparationInput): Promise<PreparedQuestion[]> {
  const { rubric, extracted, id, everyone, byRules, context, mask, pagePicture } = what
  const publicText = rubricText(rubric)
  const asked: PreparedQuestion[] = []
  for (const question of rubric.questions) {
    const answer = extracted.answers.find((one) => one.question_id === question.id)
    const rules = byRules.criteria.filter((one) => one.question_id === question.id)
    if (isDecidedByTeacher(question, id, context)) continue
    if (!needsLlm(question, answer, rules, pagePicture !== undefined)) continue
    context.signal?.throwIfAborted()
    const look = pagePicture && needsPicture(question, answer)
    const text = mask.hide(answer.text)
    const identifying = mask.identifyingLines(answer.evidence.map(({ quote }) => quote))
    const identifyingLines = answer.evidence.filter((_, line) => identifying.has(line))
    const pictures = look ? await cropAnswerPictures(question, answer, pagePicture, identifyingLines) : []
    // OCR's guess alone is nothing to grade.
    if (answer.unreadable && pictures.length === 0) continue
    asked.push({
      // A teacher's notes may speak of a student.
      question: question.notes ? { ...question, notes: mask.hide(question.notes) } : question,
      text,
      reading: answer.reading,
      earlier: earlierAnswers(question, what.questions, extracted.answers).map((one) => ({
        ...one,
        text: mask.hide(one.text),
      })),
      examples: await chooseExamples(question, id, everyone, context, publicText),
      pictures,
      outlierSentences: outlierSentences(question, text, classVocabulary(everyone, question.id, id)),
    })
  }
  return asked
}

/**
 * Where the teacher decided on all of a question, no request is made, unless it is explicitly requested: then there is something new
 * to judge, like words that were read wrongly.
 */
export function isDecidedByTeacher(question: Question, id: number, { anchors, only }: GradeContext): boolean {
  const settled = teacherScoresFor(id, anchors)
  return !only?.has(question.id) && question.criteria.every((criterion) => settled[criterion.id] !== undefined)
}
