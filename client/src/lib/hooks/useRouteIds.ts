import { useParams } from 'react-router-dom'

/** The page boundary shows “not found” with its words. */
export class InvalidRouteIdError extends Error {
  override name = 'NotAnId'
}

/** Texts of specification point 8. */
const missingIdMessages: Record<string, string> = {
  assignmentId: 'Assignment ID is missing.',
  'assignmentId submissionId': 'Assignment ID and Submission ID are required.',
  courseId: 'Course ID is required',
}

export function useRouteIds<K extends string>(...names: K[]): Record<K, number> {
  const params = useParams()
  const entries = names.map((name): [K, number] => {
    const text = params[name] ?? ''
    if (!/^[1-9]\d{0,14}$/.test(text))
      throw new InvalidRouteIdError(missingIdMessages[names.join(' ')] ?? `${name} is not a number`)
    return [name, Number(text)]
  })
  return Object.fromEntries(entries) as Record<K, number>
}
