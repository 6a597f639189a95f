import { getAnswer } from '@assay/shared/questions.ts'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { AnswerPictures } from '../questions/grading/answers/AnswerPictures.tsx'

interface Props {
  params: { assignmentId: number; questionId: string; submissionId: number }
  label: string
}

/** An answer as it stands on its page. */
export function AnswerPlace({ params, label }: Props) {
  const answer = useGet(getAnswer, params)
  if (answer.data) return <AnswerPictures params={params} pictures={answer.data.pictures} label={label} />
  if (answer.error) return <LoadError error={answer.error} retry={answer.reload} title="Error Loading the Page" />
  return <RowSkeletons count={1} label="Loading the page" />
}
