import { useSearchParams } from 'react-router-dom'
import type { GroupOfAnswers } from './answer-groups.ts'

export function useAskedAnswer(): number | null {
  const [address] = useSearchParams()
  return Number(address.get('answer')) || null
}

export const groupOf = (groups: readonly GroupOfAnswers[], submissionId: number | null) =>
  groups.find(({ answers }) => answers.some((answer) => answer.submission_id === submissionId))
