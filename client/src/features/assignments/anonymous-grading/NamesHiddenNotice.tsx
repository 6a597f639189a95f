import type { Assignment } from '@assay/shared/assignments.ts'
import { type ReactNode, useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { ShowNamesModal } from './ShowNamesModal.tsx'

export function NamesHiddenNotice({ assignment, children }: { assignment: Assignment; children: ReactNode }) {
  const [asking, setAsking] = useState(false)
  if (!assignment.anonymous?.names_hidden) return null
  return (
    <>
      <Notice
        actions={
          <SecondaryButton size="xs" onClick={() => setAsking(true)}>
            Show Names
          </SecondaryButton>
        }
      >
        {children}
      </Notice>
      <ShowNamesModal assignment={assignment} opened={asking} close={() => setAsking(false)} />
    </>
  )
}
