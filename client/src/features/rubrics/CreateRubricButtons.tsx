import type { Assignment } from '@assay/shared/assignments.ts'
import { type CurrentRubric, generateRubric } from '@assay/shared/rubric-endpoints.ts'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useSend } from '../../lib/api/api-hooks.ts'
import { tryWithToast } from '../../lib/toast.ts'

/** Begins at once where the address asks for it. */
export function CreateRubricButtons(props: {
  assignment: Assignment
  current: CurrentRubric
  put: (current: CurrentRubric) => void
}) {
  const { assignment, current, put } = props
  const make = useSend(generateRubric)
  const begin = (by: 'rules' | 'model') =>
    tryWithToast('Could not create the rubric.', async () =>
      put(await make.send({ params: { assignmentId: assignment.id }, body: { by } })),
    )
  const [search, setSearch] = useSearchParams()
  const asked = search.has('create')
  const begun = useRef(false)
  useEffect(() => {
    if (!asked || begun.current) return
    begun.current = true
    // Only once, as it can be stopped and begun again by buttons.
    setSearch(
      (now) => {
        now.delete('create')
        return now
      },
      { replace: true },
    )
    void begin('rules')
  })
  return (
    <>
      <Button loading={make.sending} onClick={() => void begin('rules')}>
        Create from blank and key
      </Button>
      {current.model && (
        <Button variant="default" loading={make.sending} onClick={() => void begin('model')}>
          Create with {current.model}
        </Button>
      )}
    </>
  )
}
