import { type RosterResult, renameRosterStudent } from '@assay/shared/roster.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { toast, tryWithToast } from '../../lib/toast.ts'

interface UndoRenamesProps {
  courseId: number
  results: RosterResult[]
  changed: () => void
}

export function UndoRenames({ courseId, results, changed }: UndoRenamesProps) {
  const rename = useSend(renameRosterStudent)
  const [undone, setUndone] = useState(false)
  // Who had no name before keeps the new one.
  const renamed = results.flatMap(({ renamed }) => (renamed?.from ? [renamed] : []))
  if (undone || renamed.length === 0) return null

  const undo = () =>
    tryWithToast('The names could not be changed back.', async () => {
      const refused: string[] = []
      for (const { student_id, from } of renamed) {
        const { success, message } = await rename.send({
          params: { courseId, studentId: student_id },
          body: { full_name: from },
        })
        if (!success) refused.push(`${from}: ${message}`)
      }
      setUndone(true)
      if (refused.length > 0) toast.error(`Not renamed back. ${refused.join(' ')}`)
      else toast.success(`${plural(renamed.length, 'student')} renamed back.`)
      changed()
    })
  return (
    <Button variant="default" loading={rename.sending} onClick={() => void undo()}>
      Undo {plural(renamed.length, 'new name')}
    </Button>
  )
}
