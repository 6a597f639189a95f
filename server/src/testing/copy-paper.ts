import { nextIds } from '../lib/database/database.ts'
import { GradeDetailsModel } from '../records/grading/grade.model.ts'
import { AnswerProjectionModel } from '../records/grading/question-answer.model.ts'
import { AnswersModel } from '../records/submissions/answers.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'

interface Copies {
  copies: number
  question: string
  answerOf: (index: number) => string
}

const BATCH = 1_000
/** Above those that papers get. */
const FIRST_NUMBER = 20_000

/** Directly in the database. `answerOf`: by the number of the copy, from 0. */
export async function copyPaper(id: number, { copies, question, answerOf }: Copies): Promise<void> {
  const { upload_key: _, ...submission } = await SubmissionModel.findById(id).lean().orFail()
  const { grade } = submission
  const updated_at = new Date(submission.updated_at.getTime() - 60 * 60 * 1000)
  const [details, answers] = await Promise.all([
    GradeDetailsModel.findById(grade?.id).lean().orFail(),
    AnswersModel.findById(id).lean().orFail(),
  ])
  if (!grade) throw new Error('the paper is graded')
  for (let from = 0; from < copies; from += BATCH) {
    const count = Math.min(BATCH, copies - from)
    const [first, firstGrade] = [await nextIds('submissions', count), await nextIds('grades', count)]
    const places = Array.from({ length: count }, (_, i) => i)
    await SubmissionModel.insertMany(
      places.map((i) => ({
        ...submission,
        updated_at,
        _id: first + i,
        student_identifier: `Student ${from + i}`,
        paper_number: FIRST_NUMBER + from + i,
        grade: { ...grade, id: firstGrade + i },
      })),
      { lean: true },
    )
    await GradeDetailsModel.insertMany(
      places.map((i) => ({ ...details, _id: firstGrade + i, submission_id: first + i })),
      { lean: true },
    )
    await AnswersModel.insertMany(
      places.map((i) => ({
        ...answers,
        _id: first + i,
        extracted: {
          ...answers.extracted,
          answers: answers.extracted.answers.map((answer) =>
            answer.question_id === question ? { ...answer, text: answerOf(from + i) } : answer,
          ),
        },
      })),
      { lean: true },
    )
  }
  // Older than what was projected, as they are, they would not be seen.
  await AnswerProjectionModel.deleteOne({ _id: submission.assignment_id })
}
