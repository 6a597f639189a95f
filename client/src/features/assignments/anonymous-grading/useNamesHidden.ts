import { type Assignment, setNamesHidden } from '@assay/shared/assignments.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'

/** Hides names, or shows them; whatever was loaded with or without them is loaded again. */
export function useNamesHidden(assignment: Pick<Assignment, 'id'>) {
  const change = useSend(setNamesHidden)
  const refresh = useRevalidate()
  return {
    sending: change.sending,
    async setHidden(names_hidden: boolean): Promise<Assignment> {
      const next = await change.send({ params: { assignmentId: assignment.id }, body: { names_hidden } })
      await refresh('/assignments', '/analytics')
      return next
    },
  }
}
