import type { Question } from '@assay/shared/rubrics.ts'
import { classSharedWords } from '../anonymizer/class-shared-words.ts'
import { createMask, hasOcrText } from '../anonymizer/mask.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { ClassAnswers, GradeContext } from '../grader.ts'
import type { PreparedQuestion } from './prompt/grading-prompt.ts'

const MAX_EXAMPLES = 4

/**
 * A few of the teacher's decisions per criterion, evenly from the lowest score to the highest, and deterministic.
 * Writers are masked; without a known writer or a name on the paper nothing can be masked, so the example is left out.
 */
export async function chooseExamples(
  question: Question,
  id: number,
  everyone: ClassAnswers,
  { anchors = [], private_words_of, others }: Pick<GradeContext, 'anchors' | 'private_words_of' | 'others'>,
  publicText: string,
): Promise<PreparedQuestion['examples']> {
  if (anchors.length === 0 || !private_words_of) return []
  const papers = new Map(everyone.submissions.map((one) => [one.id, one.extracted]))
  const examples: PreparedQuestion['examples'] = []
  for (const criterion of question.criteria) {
    const known = anchors
      .filter((anchor) => anchor.criterion_id === criterion.id && anchor.submission_id !== id)
      .flatMap(({ submission_id, score }) => {
        const extracted = papers.get(submission_id)
        const answer = extracted?.answers.find((one) => one.question_id === question.id)
        // The points were for what stands on the page, not for what OCR made of it.
        if (!extracted || !answer || answerState(answer) !== 'read') return []
        return [{ extracted, text: answer.text, score, submission_id }]
      })
      .sort((a, b) => a.score - b.score || a.submission_id - b.submission_id)
    for (const { extracted, text, score, submission_id } of sampleEvenly(known, MAX_EXAMPLES)) {
      const whose = await private_words_of(submission_id)
      const { name_on_paper } = extracted
      if (!whose || (!whose.known && name_on_paper === null)) continue
      const mask = createMask({
        private_words: whose.words,
        name_on_paper,
        publicText,
        otherNames: others,
        isSharedWord: classSharedWords(everyone, submission_id),
        ocr: hasOcrText(extracted),
      })
      examples.push({ criterion_id: criterion.id, text: mask.hide(text), score })
    }
  }
  return examples
}

function sampleEvenly<T>(list: T[], most: number): T[] {
  if (list.length <= most) return list
  return Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]).filter(
    (one) => one !== undefined,
  )
}
